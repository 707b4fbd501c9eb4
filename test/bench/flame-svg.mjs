const WIDTH = 1200;
const ROW = 16;
/** Narrower boxes are left out, in pixels. */
const LEAST = 0.6;

/** An SVG of call paths `[frames, value]`, outermost frame at the top. A box is as wide as its share, and shows its whole name on hover. */
export function flameSvg(stacks, said) {
  const root = { value: 0, children: new Map(), frame: null };
  for (const [frames, value] of stacks) {
    root.value += value;
    let node = root;
    for (const frame of frames) {
      if (!node.children.has(frame.name)) node.children.set(frame.name, { value: 0, children: new Map(), frame });
      node = node.children.get(frame.name);
      node.value += value;
    }
  }
  const boxes = [];
  let depth = 0;
  (function draw(node, x, y) {
    let left = x;
    depth = Math.max(depth, y);
    for (const child of [...node.children.values()].toSorted((a, b) => b.value - a.value)) {
      const width = (child.value / root.value) * WIDTH;
      if (width < LEAST) continue;
      boxes.push(box(child, { left, top: y * ROW, width }, said));
      draw(child, left, y + 1);
      left += width;
    }
  })(root, 0, 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${depth * ROW}" font-family="monospace" font-size="10">\n${boxes.join("\n")}\n</svg>\n`;
}

function box({ value, frame }, { left, top, width }, said) {
  const name = escaped(frame.name);
  const text = escaped(frame.name.slice(0, Math.floor(width / 6.1)));
  // the recorder's own frames stand out from those of Node and of the program
  const fill = frame.part === null ? "#d8dde3" : "#f2b866";
  const label = width < 20 ? "" : `<text x="${(left + 2).toFixed(1)}" y="${top + 11}" fill="#1a1a1a">${text}</text>`;
  return `<g><title>${name}: ${said(value)}</title><rect x="${left.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${fill}"/>${label}</g>`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
