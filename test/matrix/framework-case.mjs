// One case of one framework: `node framework-case.mjs <file with FRAMEWORKS> <name> <case>`.
const [, , file, name, which] = process.argv;
const { FRAMEWORKS } = await import(file);
await FRAMEWORKS[name].make()[which]();
