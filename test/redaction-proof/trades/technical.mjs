// A devops agent, a shop, a travel agency, a support desk, an assistant for code.

export function devops(m) {
  m.at("devops");
  const database = m.password();
  return {
    sdk: "openai",
    system: `You run deployments. Use the bastion ${m.ip()} as root.`,
    prompt: `Deploy fails. My env: DATABASE_URL=postgres://app:${database}@db.internal:5432/shop, AWS_ACCESS_KEY_ID=${m.aws()} AWS_SECRET_ACCESS_KEY=${m.awsSecret()}. I ran: curl -H 'Authorization: Bearer ${m.secret(40)}' https://api.internal/health, and mysql -u root -p${m.password()} shop. Also "docker login -u ci -p ${m.password()} registry.example".`,
    headers: { "private-token": m.gitlab(), "x-vault-token": `hvs.${m.secret(24)}` },
    api: {
      "/secrets/prod": {
        data: {
          DB_PASSWORD: m.password(),
          STRIPE_KEY: m.stripe(),
          JWT_SECRET: m.secret(32),
          SLACK_TOKEN: m.slack(),
          SMTP_PASS: m.weak(),
        },
      },
      "/kubeconfig": `apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: ${m.secret(60)}\n    client-key-data: ${Buffer.from(m.pem()).toString("base64")}\n`,
    },
    files: {
      ".env": `NODE_ENV=production\nSESSION_SECRET="${m.secret(48)}"\nREDIS_URL=redis://:${m.password().replace("#", "!").replace("?", "!")}@cache:6379/0\nexport GITHUB_TOKEN=${m.github()}\nSENDGRID_API_KEY=${m.sendgrid()}\n# old: ${m.npm()}\n`,
      id_ec: m.pem(),
      ".npmrc": `//registry.npmjs.org/:_authToken=${m.npm()}\nemail=${m.email()}\n`,
      "docker-compose.yml": `services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: ${m.weak()}\n      - PGPASSWORD=${m.password()}\n  app:\n    environment:\n      - API_TOKEN=${m.secret(30)}\n`,
      "terraform.tfvars": `region = "eu-central-1"\ndb_password = "${m.password()}"\ncloudflare_api_token = "${m.secret(40)}"\n`,
      ".netrc": `machine api.heroku.com\n  login ${m.email()}\n  password ${m.secret(36)}\n`,
      "secret.yaml": `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  password: ${Buffer.from(m.password()).toString("base64")}\n`,
    },
    tables: {
      config: {
        columns: "name TEXT, value TEXT",
        rows: [
          ["smtp_password", m.password()],
          ["api_key", m.secret(32)],
          ["retries", "3"],
        ],
      },
    },
    value: {
      env: { PGPASSWORD: m.password(), NPM_TOKEN: m.npm() },
      args: ["--token", m.secret(36), "--verbose"],
      connection: `Server=db;Database=shop;User Id=sa;Password=${m.password()};Encrypt=true`,
    },
    logs: [
      `Mar  2 10:11:12 web1 sshd[211]: Accepted password for deploy from ${m.ip()} port 50022`,
      `+ export VAULT_TOKEN=hvs.${m.secret(24)}`,
      `git clone https://oauth2:${m.gitlab()}@gitlab.example/team/app.git`,
      `[ci] docker login --password ${m.password()} registry.example`,
    ],
    fails: `could not connect to postgres://app:${m.password().replace(/[#?]/, "!")}@db.internal:5432/shop: timeout`,
    reply: `The password in the env was stale. Set DATABASE_PASSWORD=${m.password()} and retry with token ${m.github()}.`,
  };
}

export function shop(m) {
  m.at("shop");
  return {
    sdk: "openai",
    system: "You answer customers of a shop.",
    prompt: `Where is order 55120? I paid with ${m.card()} (valid thru 04/28). Ship to ${m.street()} instead. You can mail me: ${m.email()}.`,
    headers: {
      authorization: `Bearer ${m.stripe()}`,
      "x-shopify-access-token": `shpat_${m.hex(32)}`,
      "idempotency-key": "55120-1",
    },
    form: {
      "card[number]": m.card(""),
      "card[exp_month]": "4",
      "card[cvc]": "812",
      receipt_email: m.email(),
      "shipping[phone]": m.phone.dashed(),
    },
    api: {
      "/orders/55120": {
        order: {
          id: 55120,
          email: m.email(),
          phone: m.phone.us(),
          customer: { first_name: m.name(), last_name: m.name() },
          billing_address: { address1: m.street(), zip: "10001", phone: m.phone.dashed() },
          client_details: { browser_ip: m.ip(), user_agent: "Mozilla/5.0" },
          payment: { card_number: m.card(), card_bin: "411111", gateway_token: m.secret(28) },
        },
        tracking: { number: "1Z999AA10123456784", carrier: "UPS" },
      },
      "/hooks": { secret: m.whsec(), url: "https://shop.example/hook" },
    },
    files: {
      "orders.csv": `order,"customer email",phone,card,total\n55120,"${m.email()}","${m.phone.us()}","${m.card()}",49.00\n55121,"${m.email()}","${m.phone.us()}","${m.card()}",12.50\n`,
      "invoice.html": `<table><tr><td>Bill to</td><td>${m.street()}</td></tr><tr><td>Mail</td><td><a href="mailto:${m.email()}">write</a></td></tr><tr><td>Card</td><td>${m.card()}</td></tr></table>`,
      "events.ndjson": `{"type":"checkout","user":{"email":"${m.email()}","ip":"${m.ip()}"}}\n{"type":"payment","card":{"number":"${m.card("")}"},"token":"${m.secret(32)}"}\n`,
    },
    tables: {
      orders: {
        columns: "id INTEGER, email TEXT, card_number TEXT, ip TEXT",
        rows: [
          [1, m.email(), m.card(""), m.ip()],
          [2, m.email(), m.card("-"), m.ip()],
        ],
      },
    },
    value: {
      customer: { email: m.email(), shippingAddress: { line1: m.street(), postcode: "SW1A 1AA" } },
      payment: { cardNumber: m.card(""), cvv: "812" },
    },
    logs: [
      `charge card=${m.card()} customer=${m.email()} ok`,
      `203.0.113.9 - - [02/Mar/2026:10:00:00 +0000] "GET /account?token=${m.secret(32)}&email=${encodeURIComponent(m.email())} HTTP/1.1" 200 512`,
    ],
    fails: `card_declined: ${m.card()} for ${m.email()}`,
    reply: `Order 55120 ships tomorrow. I updated the address and charged ${m.card("-")}; a receipt goes to ${m.email()}.`,
  };
}

export function travel(m) {
  m.at("travel");
  return {
    sdk: "anthropic",
    system: "You book trips.",
    prompt: `Book LH 440 on 4 May for two. Passport number ${m.passport()}, expires 2031. DOB ${m.born()}. Contact: ${m.email()}, ${m.phone.international("33")}. Pay with ${m.amex()}.`,
    headers: { "x-api-key": m.secret(32), cookie: `auth_token=${m.secret(40)}; lang=fr` },
    api: {
      "/bookings/ABC123": {
        booking: {
          pnr: "ABC123",
          passengers: [
            {
              firstName: m.name(),
              lastName: m.name(),
              passport: { number: m.passport(), country: "DEU" },
              dateOfBirth: m.born(),
              contact: { email: m.email(), phone: m.phone.e164("33") },
            },
            { firstName: m.name(), lastName: m.name(), passportNumber: m.passport(), birthday: m.born() },
          ],
          payment: { cardNumber: m.card(""), holderName: m.name() },
        },
      },
      "/hotel": {
        guest: { email: m.email(), mobile: m.phone.e164("39"), licensePlate: "HH-AB 1234" },
        wifi: { ssid: "Guest", password: m.weak() },
      },
    },
    files: {
      "itinerary.txt": `PNR ABC123\n1. ${m.unclaimed("name in a ticket", `${m.word().toUpperCase()}/${m.word().toUpperCase()} MR`)}\nCTCE ${m.email()}\nCTCM ${m.phone.e164("49")}\nFOP: CARD ${m.card()} EXP 0428\nPASSPORT ${m.passport()}\n`,
      "guests.json": JSON.stringify(
        {
          guests: [
            { email: m.email(), passport_no: m.passport(), born: m.born() },
            { email: m.email(), passport_no: m.passport(), born: m.born() },
          ],
        },
        null,
        2,
      ),
      "guests.md": `| guest | email | phone |\n|---|---|---|\n| 1 | ${m.email()} | ${m.phone.international("34")} |\n| 2 | ${m.email()} | ${m.phone.international("39")} |\n`,
    },
    tables: {
      traveller: {
        columns: "id INTEGER, passport TEXT, email TEXT, birthdate TEXT",
        rows: [
          [1, m.passport(), m.email(), m.born()],
          [2, m.passport(), m.email(), m.born()],
        ],
      },
    },
    value: {
      travellers: [
        { givenName: m.name(), familyName: m.name(), documents: [{ documentType: "PASSPORT", number: m.passport() }] },
      ],
    },
    logs: [
      `booking ok mail=${m.email()} phone="${m.phone.international("33")}"`,
      `{"event":"pay","card":"${m.card()}","passport":"${m.passport()}"}`,
    ],
    fails: `APIS check failed for passport ${m.passport()}, notify ${m.email()}`,
    reply: `Booked. Tickets are on their way to ${m.email()}; passport ${m.passport()} is on file.`,
  };
}

export function support(m) {
  m.at("support");
  return {
    sdk: "anthropic",
    system: `You are on duty for support. Zendesk login ${m.email("vendor.example")} / ${m.unclaimed("password behind a slash", `Tz${m.word()}${m.number(2)}!`)}.`,
    prompt: `My account ${m.email()} is locked. My password was ${m.password()} and the reset code is ${m.otp()}. I log in from ${m.ip()}. API key: ${m.secret(32)}. You can also text ${m.phone.dashed()}.`,
    headers: {
      authorization: `Basic ${Buffer.from(`${m.email()}/token:${m.secret(40)}`).toString("base64")}`,
      "x-csrf-token": m.secret(36),
    },
    api: {
      "/tickets/7": {
        ticket: {
          id: 7,
          requester: { email: m.email(), phone: m.phone.us() },
          comments: [
            { author: "customer", body: `Hi,\nmy pw is ${m.weak()}\nserver ${m.ip()}\nkey ${m.google()}` },
            { author: "agent", body: `Please do not send passwords. Is ${m.email()} right?` },
          ],
          custom_fields: [
            { id: 1, name: "Serial", value: "SN-1002-3" },
            { id: 2, name: "Phone", value: m.phone.dashed() },
            { id: 3, name: "API key", value: m.secret(32) },
          ],
          via: { source: { from: { address: m.email(), ip: m.ip() } } },
        },
      },
    },
    files: {
      "thread.txt": `> On Tue, ${m.email()} wrote:\n>> My login: ${m.email()}\n>> Password: ${m.password()}\n> Please reset it: https://app.example/reset?token=${m.secret(40)}\nThanks\n-- \n${m.phone.international()} | ${m.street()}\n`,
      "har.json": JSON.stringify({
        log: {
          entries: [
            {
              request: {
                method: "POST",
                url: `https://app.example/login?session_token=${m.secret(32)}`,
                headers: [
                  { name: "Authorization", value: `Bearer ${m.jwt()}` },
                  { name: "Cookie", value: `sid=${m.secret(32)}` },
                ],
                postData: {
                  mimeType: "application/x-www-form-urlencoded",
                  text: `email=${encodeURIComponent(m.email())}&password=${encodeURIComponent(m.password())}`,
                },
              },
            },
          ],
        },
      }),
      "crash.log": `Error: 401\n    at login (/app/a.js:10:3)\n  config: { headers: { Authorization: 'Bearer ${m.secret(40)}', 'X-Api-Key': '${m.secret(32)}' }, auth: { username: 'bo', password: '${m.password()}' } }\n`,
      "users.psql": ` id |          email           |  password\n----+--------------------------+-----------\n  1 | ${m.email()} | ${m.password()}\n  2 | ${m.email()} | ${m.password()}\n(2 rows)\n`,
    },
    tables: {
      session: {
        columns: "id INTEGER, email TEXT, ip TEXT, session_token TEXT, mfa_secret TEXT",
        rows: [[1, m.email(), m.ip(), m.secret(32), m.secret(32)]],
      },
    },
    value: {
      user: {
        email: m.email(),
        resetToken: m.secret(32),
        recoveryCodes: [m.secret(10), m.secret(10)],
        lastLogin: { ip: m.ip(), mac: m.mac() },
      },
    },
    logs: [
      `reset link https://app.example/reset?token=${m.secret(40)} sent to ${m.email()}`,
      `auth ok user="${m.email()}" otp=${m.otp()} ip=${m.ip()}`,
    ],
    fails: `401 for ${m.email()}: wrong password "${m.password()}"`,
    reply: `I unlocked ${m.email()}. Your temporary password is ${m.password()}; please change it.`,
  };
}

export function code(m) {
  m.at("code");
  return {
    sdk: "openai",
    system: "You are a coding assistant with a shell.",
    prompt: `Why does this not work?\n\n\`\`\`js\nconst client = new OpenAI({ apiKey: "${m.openai()}" });\nconst db = mysql.createConnection({ host: "db", user: "root", password: "${m.password()}" });\nfetch(url, { headers: { Authorization: "Bearer ${m.secret(40)}" } });\n\`\`\`\nand in python: \`requests.get(u, auth=("admin", "${m.password()}"))\`, token = '${m.github()}'`,
    headers: { authorization: `token ${m.github()}`, "x-goog-api-key": m.google() },
    api: {
      "/repos/app/hooks": [
        { id: 1, config: { url: "https://ci.example/hook", secret: m.secret(32), content_type: "json" } },
      ],
      "/gists/1": {
        files: {
          "config.py": {
            content: `AWS_KEY = "${m.aws()}"\nAWS_SECRET = "${m.awsSecret()}"\nDJANGO_SECRET_KEY = '${m.secret(50)}'\nADMINS = [("Bo", "${m.email()}")]\n`,
          },
        },
      },
    },
    files: {
      "change.diff": `diff --git a/config.ts b/config.ts\nindex 83db48f..bf2a1c9 100644\n--- a/config.ts\n+++ b/config.ts\n@@ -1,3 +1,3 @@\n-export const apiKey = "${m.secret(32)}";\n+export const apiKey = process.env.API_KEY;\n-const slack = "${m.slack()}";\n author: ${m.email()}\n`,
      "application.properties": `spring.datasource.username=app\nspring.datasource.password=${m.password()}\njwt.secret=${m.secret(40)}\nserver.port=8080\n`,
      "settings.json": `{\n  // local\n  "anthropic.apiKey": "${m.anthropic()}",\n  "editor.tabSize": 2,\n  "ftp": { "user": "u", "password": "${m.weak()}" }\n}\n`,
      "seed.sql": `INSERT INTO users (id, email, password, api_token) VALUES\n (1, '${m.email()}', '${m.password()}', '${m.secret(32)}'),\n (2, '${m.email()}', '${m.password()}', '${m.secret(32)}');\n`,
      "wp-config.php": `<?php\ndefine( 'DB_PASSWORD', '${m.password()}' );\ndefine('AUTH_KEY', '${m.secret(64)}');\n$smtp_pass = "${m.password()}";\n`,
      "git.log": `commit 9d70ea61c0947edf82a678bf4d844bd6ed06aede\nAuthor: Bo <${m.email()}>\nDate:   Thu Nov 26 22:51:03 2026 +0000\n\n    Rotate ${m.gitlab()}\n`,
    },
    tables: {
      setting: {
        columns: "key TEXT, value TEXT",
        rows: [
          ["openai_api_key", m.openai()],
          ["webhook_secret", m.secret(32)],
          ["theme", "dark"],
        ],
      },
    },
    value: {
      command: `curl -u admin:${m.password()} https://api.example`,
      stdout: `token: ${m.secret(36)}\n`,
      env: [
        { name: "DB_PASSWORD", value: m.password() },
        { name: "PORT", value: "8080" },
      ],
    },
    logs: [
      `$ export OPENAI_API_KEY=${m.openai()}`,
      `remote: https://x-access-token:${m.github()}@github.com/acme/app.git`,
      `[debug] headers: {"authorization":"Bearer ${m.secret(40)}","cookie":"sid=${m.secret(32)}"}`,
    ],
    fails: `EACCES: bad credentials for ${m.email()}: ${m.github()}`,
    reply: `The key ${m.openai()} is a project key. Do not commit it. Use \`password="${m.password()}"\` only locally.`,
  };
}
