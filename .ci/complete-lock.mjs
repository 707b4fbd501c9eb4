// complete-lock.mjs: writes into package-lock.json the optional platform packages that the registry at hand did not
// carry when the lockfile was made. `npm ci` refuses a lockfile that lacks one. Such an entry has no integrity: nobody
// has seen its bytes; a machine of another platform never fetches it. Run it after `npm install` has changed the lockfile.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PLATFORM =
  /[/-](android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(?:[a-z]*(gnu|musl)[a-z]*|msvc|eabi))?$/;

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));

for (const [at, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (placesOf(at, name).some((path) => path in lock.packages)) continue;
    const platform = PLATFORM.exec(name);
    if (platform === null) throw new Error(`${name} is not in package-lock.json, and its name says no platform`);
    const [, os, cpu, libc] = platform;
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(entry.dev === true ? { dev: true } : {}),
      // the linker of 32-bit ARM tells its C library by its name, and npm does not ask
      ...(libc === undefined || cpu === "arm" ? {} : { libc: [libc === "gnu" ? "glibc" : "musl"] }),
      optional: true,
      os: [os],
    };
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

/** Where npm looks for a dependency of a package: in its own folder, and in those above. */
function placesOf(at, name) {
  const places = [`node_modules/${name}`];
  for (let folder = at; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/"))))
    places.push(`${folder}/node_modules/${name}`);
  return places;
}
