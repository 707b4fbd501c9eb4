import { installChromium } from "./chromium.ts";
import { installFerretdb } from "./ferretdb.ts";
import { installGoBinary, MINIO, PROMTOOL, VERSITYGW } from "./go-binary.ts";
import { installKafka } from "./kafka.ts";
import { installMariadb } from "./mariadb.ts";
import { installOtelcol } from "./otelcol.ts";
import { installPhoenix } from "./phoenix.ts";
import { installPostgres } from "./postgres.ts";
import { installRedis } from "./redis.ts";

// node test/services/install.ts [name …]: installs real servers once into the cache folder; without names, all but those of BY_NAME.
const known: Record<string, () => string> = {
  versitygw: () => installGoBinary(VERSITYGW),
  minio: () => installGoBinary(MINIO),
  phoenix: installPhoenix,
  otelcol: installOtelcol,
  chromium: installChromium,
  postgres: installPostgres,
  redis: installRedis,
  mariadb: installMariadb,
  ferretdb: installFerretdb,
  kafka: installKafka,
  promtool: () => installGoBinary(PROMTOOL),
};
/** minutes to build, for one test */
const BY_NAME = ["promtool"];
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(known).filter((each) => !BY_NAME.includes(each))) {
  const install = known[name];
  if (!install) throw new Error(`no service ${name}: ${Object.keys(known).join(", ")}`);
  process.stdout.write(`${name}: ${install()}\n`);
}
