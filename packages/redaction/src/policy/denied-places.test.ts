import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { decodeValue, encodeValue, VALUE_MIME } from "@reenact/envelope";
import type { ScrubHint } from "@reenact/capture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactingExporter } from "../fence/redacting-exporter.ts";
import type { Policy } from "../policy.ts";
import { createScrubber } from "../scrubber.ts";

const key = Buffer.alloc(32, 9);
const of = (paths: Policy["paths"], more: Policy = {}) => createScrubber({ key, policy: { ...more, paths } });
const CANARY = /Canary|7319|77[.]5|-5|true/i;
const media = `data:image/png;base64,${Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 37 + 5) % 256)).toString("base64")}`;
const MEDIA = media.slice(30, 60);
const BELOW = {
  text: "Canary one",
  count: 7319,
  ratio: 77.5,
  loss: -5,
  positive: true,
  id: "canary-id",
  index: 7319,
  done: true,
  "Canary Name": "x",
  list: ["Canary", 7319, true, ["Canary", { deep: "Canary" }]],
  object: { object: { text: "Canary", escaped: 'Can\u0061ry "x"' } },
  json: JSON.stringify({ a: "Canary", n: 7319 }),
  image_url: media,
  signature: "canaryCanary1234canaryCANARY",
  created_at: "Canary",
};
const leaks = (text: string): void => {
  expect(text).not.toMatch(CANARY);
  expect(text).not.toContain(MEDIA);
};
const JSON_HINT = { mime: "application/json" };
const inJson = (value: unknown, scrubber = of({ deny: ["**/diagnosis"] }), hint: ScrubHint = JSON_HINT): string => {
  const source = JSON.stringify(value);
  const { text } = scrubber.scrub(source, hint);
  expect(scrubber.scrub(text, hint).text).toBe(text);
  return text;
};

describe("a denied place is denied with all that stands below it", () => {
  test("objects, lists, numbers, truth values, names that are data, media and ids", () => {
    const text = inJson({ patient: { diagnosis: BELOW, other: "stays" }, n: 12 });
    leaks(text);
    const out = JSON.parse(text) as { n: number; patient: { other: string; diagnosis: typeof BELOW } };
    expect(out.n).toBe(12);
    expect(out.patient.other).toBe("stays");
    expect(out.patient.diagnosis).toMatchObject({
      text: expect.stringMatching(/^FIELD_/),
      count: 9999,
      ratio: 0,
      positive: false,
      list: [expect.stringMatching(/^FIELD_/), 9999, false, [expect.any(String), { deep: expect.any(String) }]],
    });
  });

  test("lists that are denied, elements of lists, places at the top", () => {
    leaks(inJson({ diagnosis: [BELOW, "Canary", 7319] }, of({ deny: ["diagnosis"] })));
    leaks(inJson({ records: [BELOW, BELOW] }, of({ deny: ["records/*"] })));
    leaks(inJson({ records: [{ diagnosis: BELOW }] }, of({ deny: ["records/*/diagnosis"] })));
    leaks(inJson([{ ...BELOW, loss: 1.5 }, [BELOW]], of({ deny: ["**"] })));
    const shallow = inJson({ a: { b: "stays", c: { d: "Canary" } } }, of({ deny: ["a/c"] }));
    expect(shallow).toMatch(/^\{"a":\{"b":"stays","c":\{"d":"FIELD_/);
  });

  test("JSON inside texts, base64, data URLs, lines and events", () => {
    const inner = JSON.stringify({ diagnosis: BELOW });
    leaks(inJson({ args: inner }));
    leaks(inJson({ args: JSON.stringify({ args: inner }) }));
    leaks(
      inJson({ data: Buffer.from(inner).toString("base64") }).replace(/"data":"([^"]*)"/, (_, b: string) =>
        Buffer.from(b, "base64").toString(),
      ),
    );
    const scrubber = of({ deny: ["**/diagnosis"] });
    leaks(scrubber.scrub(`It says:\n${inner}\nbye`).text);
    leaks(scrubber.scrub(`${inner}\n${inner}\n`, { mime: "application/x-ndjson" }).text);
    leaks(scrubber.scrub(`event: x\ndata: ${inner}\n\ndata: ${inner}\n\n`, { mime: "text/event-stream" }).text);
    leaks(scrubber.scrub(inner, { key: "note" }).text);
    leaks(scrubber.scrub(inner, { key: "diagnosis", mime: "application/json" }).text);
    leaks(scrubber.scrub("Canary=7319", { key: "diagnosis", mime: "application/x-www-form-urlencoded" }).text);
  });

  test("entries whose name stands beside their value", () => {
    leaks(inJson({ attributes: [{ key: "diagnosis", value: BELOW }] }));
    leaks(inJson({ attributes: [{ name: "diagnosis", value: "Canary" }] }));
    leaks(inJson({ attributes: [{ key: "diagnosis", value: { stringValue: "Canary", intValue: "7319" } }] }));
    leaks(inJson({ map: [["diagnosis", BELOW]] }));
    leaks(
      inJson([
        ["diagnosis", "Canary"],
        ["diagnosis", 7319],
      ]),
    );
    leaks(inJson({ patient: [{ name: "age", value: 7319 }] }, of({ deny: ["patient/age"] })));
    expect(inJson({ attributes: [{ key: "other", value: "stays" }], map: [["a", "stays"]] })).not.toContain("FIELD");
  });

  test("columns of tables, with line ends and quotes in cells, empty lines and rows of other lengths", () => {
    const scrubber = of({ deny: ["**/diagnosis"] });
    const table = (text: string, mime?: string): string => {
      const once = scrubber.scrub(text, { mime }).text;
      leaks(once);
      expect(scrubber.scrub(once, { mime }).text).toBe(once);
      return once;
    };
    const csv = table(
      'id,diagnosis,note\r\n1,Canary,stays\r\n2,"Canary, ""Canary""\r\nand Canary",stays\r\n3,,stays\r\n\r\n4,Canary,Canary,stays\r\n5,7319,stays\r\n',
      "text/csv",
    );
    expect(csv.match(/stays/g)).toHaveLength(5);
    expect(csv).toMatch(/^id,diagnosis,note\r\n1,FIELD_\w+,stays\r\n2,"FIELD_\w+",stays\r\n3,,stays\r\n/);
    table("id;diagnosis\n1;Canary\n2;Canary");
    table("id\tdiagnosis\n1\tCanary\n2\tCanary two\n", "text/tab-separated-values");
    expect(table("Here:\n| id | diagnosis |\n|---|---|\n| 1 | Canary |\n| 2 | Canary two |\n\nbye, all")).toMatch(
      /---\|---.*\n.*\n.*\n\nbye, all$/,
    );
    table(`diagnosis,id\n${"Canary,1\n".repeat(500)}`);
    leaks(inJson({ file: "id,diagnosis\n1,Canary\n" }));
    leaks(scrubber.scrub("INSERT INTO p (id, diagnosis, n) VALUES (1, 'Canary', 2), (2, 7319, 3);").text);
  });

  test("fields of forms, of parts and of queries", () => {
    const scrubber = of({ deny: ["**/diagnosis", "**/user/age"] });
    const form =
      "diagnosis=Canary&diagnosis[code]=7319&diagnosis[]=Canary&patient[diagnosis][x]=Canary&user.age=7319&a=stays";
    const out = scrubber.scrub(form, { mime: "application/x-www-form-urlencoded" }).text;
    leaks(out);
    expect(out).toContain("a=stays");
    leaks(scrubber.scrub(`https://h.example/p?${form}`, { key: "url" }).text);
    const part = (name: string, type: string, body: string, file = "") =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
    const parts = `${part("diagnosis", "image/png", "\x89PNG Canary", '; filename="Canary.png"')}${part("patient[diagnosis]", "application/json", '{"a":7319}')}${part("a", "text/plain", "stays")}--b--\r\n`;
    const multi = scrubber.scrub(parts, { mime: "multipart/form-data; boundary=b" }).text;
    leaks(multi);
    expect(multi).toContain("stays");
  });

  test("what is allowed, allowed values and masks do not excuse it", () => {
    const scrubber = of(
      { allow: ["args", "patient/**", "**/diagnosis"], deny: ["**/diagnosis"] },
      { allow: ["Canary one", "Canary"] },
    );
    leaks(inJson({ args: JSON.stringify({ diagnosis: BELOW }), patient: { diagnosis: BELOW } }, scrubber));
    expect(
      inJson({ args: JSON.stringify({ mail: "alice@example.com" }), patient: { mail: "alice@example.com" } }, scrubber),
    ).not.toContain("EMAIL_");
  });

  test("attributes of spans, of any kind", () => {
    const exporter = new InMemorySpanExporter();
    const scrubber = of({ deny: ["patient", "**/diagnosis"] });
    const provider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter: redactingExporter(exporter, scrubber) })],
    });
    const attributes = { patient: BELOW, map: { diagnosis: BELOW }, diagnosis: 7319, b: { x: Buffer.from("stays") } };
    provider
      .getTracer("t")
      .startSpan("s", { attributes: attributes as never })
      .end();
    const out = exporter.getFinishedSpans()[0]?.attributes;
    leaks(JSON.stringify({ ...out, b: null }));
    expect(JSON.stringify(out)).toContain(JSON.stringify(attributes.b));
  });

  test("nothing below a denied place stays, whatever stands there", () => {
    const scrubber = of({ deny: ["**/diagnosis"], allow: ["**/open"] });
    const text = fc.string({ unit: "grapheme", maxLength: 12 }).map((noise) => `Canary${noise}`);
    const tree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer({ min: 731900, max: 731999 }),
        tie("object"),
        tie("list"),
        tie("inner"),
      ),
      object: fc.dictionary(
        fc.oneof(text, fc.constantFrom("open", "id", "index", "data", "value", "name", "type")),
        tie("any"),
        { maxKeys: 3 },
      ),
      list: fc.array(tie("any"), { maxLength: 3 }),
      inner: tie("any").map((value) => JSON.stringify(value)),
    }))["any"];
    const outer = fc.tuple(tree, fc.nat(3), fc.boolean()).map(([below, depth, isText]) => {
      let value: unknown = { diagnosis: below };
      for (let i = 0; i < depth; i++) value = isText ? { open: JSON.stringify(value) } : { open: [value] };
      return JSON.stringify(value);
    });
    fc.assert(
      fc.property(
        outer,
        fc.constantFrom<ScrubHint>({}, JSON_HINT, { key: "open", mime: "application/json" }),
        (source, hint) => {
          const out = scrubber.scrub(source, hint).text;
          expect(out).not.toMatch(/Canary|7319/i);
          expect(() => JSON.parse(out) as unknown).not.toThrow();
          expect(scrubber.scrub(out, hint).text).toBe(out);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test.each([
  ["a pair of members", '[[1],{"name":2,"value":3},"diagnosis","Canary"]'],
  ["a number in a pair of members", '[[1],{"name":2,"value":3},"diagnosis",7319]'],
  ["an object beside its name", '[{"key":1,"value":2},"diagnosis",{"text":3},"Canary"]'],
  ["a pair in a list", '[[1,4],[2,3],"diagnosis","Canary",[5,6],"open","ok"]'],
])("a typed value: %s", (_, text) => {
  const scrubber = of({ deny: ["**/diagnosis"] });
  expect(scrubber.scrub(text, { mime: VALUE_MIME }).text).not.toMatch(/Canary|7319/);
});

describe("places that a text names itself", () => {
  const scrubber = of({ deny: ["**/diagnosis", "**/patient/age"] });
  test.each<[string, string, ScrubHint?]>([
    [
      "columns above rows",
      '{"columns":["id","diagnosis"],"rows":[[1,"Canary"],[2,7319],[3,true],[4,{"a":["Canary"]}]]}',
      JSON_HINT,
    ],
    ["rows above columns", '{"rows":[["Canary",1]],"columns":["diagnosis","id"]}', JSON_HINT],
    ["fields with names", '{"fields":[{"name":"id"},{"name":"diagnosis"}],"rows":[[1,"Canary"]]}', JSON_HINT],
    ["a pair alone", '{"entry":["diagnosis","Canary"],"other":["diagnosis",7319]}', JSON_HINT],
    ["settings", "id=1 diagnosis=Canary name=open, diagnosis=7319; diagnosis = 'Canary one'"],
    ["settings with words in them", "diagnosis=Canary one, n=2"],
    ["settings inside a string", '{"log":"id=1 diagnosis=Canary"}', JSON_HINT],
    ["a name with points", "patient.age=7319"],
    ["labels", "Diagnosis: Canary one\ndiagnosis:7319\nnote: open"],
    ["JSON that is cut", '{"a":1,"diagnosis":{"text":"Canary","list":["Canary", 7319'],
    [
      "a literal of Python",
      "{'id': 1, 'diagnosis': {'text': 'Canary'}, 'n': True, 'diagnosis': 7319}".replace("True", "1"),
    ],
    [
      "YAML",
      "id: 1\ndiagnosis:\n  text: Canary\n  list:\n    - Canary\n    - 7319\nnote: open\n",
      { mime: "application/yaml" },
    ],
    ["YAML, blocks", "a:\n  - diagnosis: |\n      Canary\n      7319\n    note: open\n  - diagnosis: 'Canary'\n"],
    ["YAML, names in names", "patient:\n  age: 7319\n  name: open\nage: 12\n"],
    ["YAML, a list below its name", "diagnosis:\n- Canary\n- text: Canary\nnote: open"],
    [
      "XML",
      '<p id="1"><diagnosis code="7319">Canary <b>Canary</b></diagnosis><note>open</note></p>',
      { mime: "application/xml" },
    ],
    ["XML, names in names", "<patient><age>7319</age></patient><age>12</age>"],
    ["XML, attributes", '<p diagnosis="Canary" note="open"/><x:diagnosis><![CDATA[Canary]]></x:diagnosis>'],
    ["JSON within a text", 'It says {"columns":["diagnosis"],"rows":[["Canary"]]} today'],
  ])("%s", (_, text, hint = {}) => {
    const once = scrubber.scrub(text, hint).text;
    leaks(once);
    expect(scrubber.scrub(once, hint).text).toBe(once);
    for (const kept of ["note", "open", "12"]) if (text.includes(kept)) expect(once).toContain(kept);
  });

  test("a truth value that others share goes at the denied place alone", () => {
    const value = {
      diagnosis: { a: true, b: [true] },
      other: true,
      map: new Map<string, unknown>([["diagnosis", true]]),
    };
    const { text } = scrubber.scrub(encodeValue(value).text, { mime: VALUE_MIME });
    expect(decodeValue(text)).toEqual({
      diagnosis: { a: false, b: [false] },
      other: true,
      map: new Map([["diagnosis", false]]),
    });
    const dates = { diagnosis: new Date(7319), n: 731_912n };
    const again = decodeValue(scrubber.scrub(encodeValue(dates).text, { mime: VALUE_MIME }).text) as typeof dates;
    expect(again.diagnosis.getTime()).not.toBe(7319);
    expect(again.n).toBe(731_912n);
  });

  test("texts that name no denied place stay", () => {
    const text = 'a: 1\nb:\n  c: 2 # diagnosis was open\n<p x="1">the diagnosis</p> patient=7 age=12\n';
    expect(scrubber.scrub(text).text).toBe(text);
  });
});
