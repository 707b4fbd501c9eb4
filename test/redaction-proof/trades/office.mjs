// A bank, a clinic, a telephone chat bot, a human resources desk, an insurance.

export function bank(m) {
  m.at("bank");
  const [iban, card, pin] = [m.iban(), m.card(), m.otp()];
  return {
    sdk: "openai",
    system: `You are the assistant of Nordbank. Internal escalation: ${m.email("nordbank.example")}, hotline ${m.phone.international()}.`,
    prompt: `Hi, I am ${m.person()}. Please move 250 EUR from ${iban} to ${m.iban(true)}. My card ${card} was declined at the till yesterday, exp 09/27, cvv 812. The TAN you sent me is ${pin}. Call me at ${m.phone.german()} if it does not work.`,
    headers: {
      authorization: `Bearer ${m.secret(40)}`,
      "x-customer-iban": m.ibanGb(),
      cookie: `JSESSIONID=${m.hex(32)}; theme=dark`,
    },
    api: {
      "/accounts/17": {
        account: {
          iban: m.iban(),
          bic: "NORDDEFFXXX",
          owner: { first_name: m.name(), last_name: m.name(), birth_date: m.born() },
          balance: "1204.55",
        },
        cards: [
          { pan: m.card(""), expires: "2027-09", card_holder: m.name() },
          { pan: m.amex(), blocked: true },
        ],
        contact: {
          mobile: m.phone.e164("49"),
          email: m.email(),
          address: { street: m.strasse(), zip: "20095", city: "Hamburg" },
        },
        tax: { steuer_id: m.taxId() },
      },
      "/login": { access_token: m.secret(48), refresh_token: m.jwt(), token_type: "Bearer", expires_in: 3600 },
    },
    files: {
      "transfers.csv": `date;payee;iban;amount;purpose\n2026-03-01;Stadtwerke;${m.iban()};-81,20;Strom\n2026-03-02;"Weber, Anna";${m.iban()};-300,00;"Miete, ${m.email()}"\n`,
      "statement.txt": `NORDBANK  Kontoauszug 3/2026\nIBAN: ${m.iban(true)}   BIC: NORDDEFFXXX\n01.03. LASTSCHRIFT  81,20-  Mandat M-4711\n02.03. Karte ${m.card("-")}  REWE SAGT DANKE\nKundennummer 77124\nRückfragen: ${m.phone.german()}\n`,
      "mt940.sta": `:20:STARTUMS\n:25:37040044/532013000\n:86:166?00UEBERWEISUNG?20EREF+NOTPROVIDED?31${m.unclaimed("account in MT940", `DE${m.number(20)}`)}?32MUELLER?33GMBH\n`,
    },
    tables: {
      customer: {
        columns: "id INTEGER, email TEXT, phone TEXT, password_hash TEXT, ssn TEXT",
        rows: [
          [1, m.email(), m.phone.dashed(), `$2b$12$${m.secret(53)}`, m.ssn()],
          [2, m.email(), m.phone.us(), `$2b$12$${m.secret(53)}`, m.ssn()],
        ],
      },
    },
    value: {
      transfer: { debtorIban: m.iban(), creditorIban: m.iban(), amount: { value: 250, currency: "EUR" }, pin: m.otp() },
    },
    logs: [
      `2026-03-02T10:11:12.123Z INFO transfer accepted iban=${m.iban()} ip=${m.ip()} amount=250`,
      `WARN login failed user=${m.email()} password=${m.weak()}`,
    ],
    fails: `payment rejected: card ${m.card()} is blocked (holder called from ${m.phone.international("43")})`,
    reply: `I have moved 250 EUR. A confirmation goes to ${m.email()}; for your card ending in 4410 call ${m.phone.international()}.`,
  };
}

export function clinic(m) {
  m.at("clinic");
  return {
    sdk: "anthropic",
    system: "You help the front desk of a clinic. Answer briefly.",
    prompt: `Patient called, born ${m.bornUs()}, SSN ${m.ssn()}, lives at ${m.street()}. Wants her results by mail to ${m.email("mail.example")}. Insurance member ID: ${m.unclaimed("member id", `XQ${m.number(9)}`)}. Phone ${m.phone.us()}.`,
    headers: { "x-api-key": m.secret(36), "x-patient-email": m.email() },
    api: {
      "/patients/8812": {
        patient: {
          firstName: m.name(),
          lastName: m.name(),
          dateOfBirth: m.born(),
          ssn: m.ssn(),
          nhs_number: m.number_("nhs number", 10),
          phoneNumbers: [
            { type: "mobile", number: m.phone.dashed() },
            { type: "home", number: m.phone.us() },
          ],
        },
        emergencyContact: { fullName: m.name(), phone: m.phone.e164("1") },
        appointments: [{ at: "2026-05-04T09:30:00Z", room: "B12", note: `please call ${m.phone.dashed()} before` }],
      },
      "/fhir/Patient/1": {
        resourceType: "Patient",
        telecom: [
          { system: "phone", value: m.phone.dashed(), use: "home" },
          { system: "email", value: m.email() },
        ],
        birthDate: m.born(),
        address: [{ line: [m.street()], city: "Springfield", postalCode: "62704" }],
        identifier: [{ type: { text: "SSN" }, system: "http://hl7.org/fhir/sid/us-ssn", value: m.ssn() }],
      },
    },
    files: {
      "intake.txt": `INTAKE FORM\nName: ${m.unclaimed("name behind a label", `${m.word()} ${m.word()}`)}\nDOB: ${m.bornUs()}\nAddress: ${m.street()}, Springfield\nSSN: ${m.ssn()}\nPhone: ${m.phone.us()}\nE-mail: ${m.email()}\nEmergency contact: ${m.phone.dashed()}\n`,
      "patients.csv": `mrn,first_name,last_name,dob,phone,email,ssn\n10001,${m.name()},${m.name()},${m.born()},${m.phone.dashed()},${m.email()},${m.ssn()}\n10002,${m.name()},${m.name()},${m.born()},${m.phone.dashed()},${m.email()},${m.ssn()}\n`,
      "letter.md": `Dear colleague,\n\nthank you for referring the patient (geb. ${m.bornDe()}). She can be reached under **${m.phone.international("41")}** or [${m.email()}](mailto:${m.email()}).\n`,
    },
    tables: {
      visit: {
        columns: "id INTEGER, patient_email TEXT, note TEXT",
        rows: [
          [1, m.email(), `left voicemail at ${m.phone.us()}`],
          [2, m.email(), `new address ${m.street()}`],
        ],
      },
    },
    value: {
      booking: { patient: { given_name: m.name(), family_name: m.name(), dob: m.born() }, slot: "2026-05-04T09:30" },
    },
    logs: [
      `{"level":30,"time":1767225600000,"msg":"patient found","dob":"${m.born()}","phone":"${m.phone.dashed()}"}`,
      `GET /patients?ssn=${m.ssn()}&email=${encodeURIComponent(m.email())} 200 12ms`,
    ],
    fails: `duplicate patient: ${m.email()} already registered with SSN ${m.ssn()}`,
    reply: `I booked the slot and sent the results to ${m.email()}. Her number on file is ${m.phone.us()}.`,
  };
}

export function telephone(m) {
  m.at("telephone");
  const caller = m.phone.e164("1");
  return {
    sdk: "openai",
    system: `You answer text messages. The caller is ${caller}. Hand over to ${m.phone.e164("1")} when asked for a human.`,
    prompt: `hey its ${m.person()} again, new number is ${m.phone.dashed()}, old one ${m.phone.us()} is dead. code u sent: ${m.otp()}`,
    headers: {
      authorization: `Basic ${Buffer.from(`AC0123456789abcdef0123456789abcdef:${m.hex(32)}`).toString("base64")}`,
    },
    form: {
      From: m.phone.e164("1"),
      To: m.phone.e164("1"),
      Body: `Your verification code is ${m.otp()}`,
      Caller: m.phone.e164("44"),
    },
    api: {
      "/Messages.json": {
        messages: [
          {
            sid: "SM0123456789abcdef0123456789abcdef",
            from: m.phone.e164("1"),
            to: m.phone.e164("44"),
            body: `My address is ${m.street()}`,
            status: "delivered",
          },
          {
            sid: "SM1123456789abcdef0123456789abcdef",
            from: m.phone.e164("33"),
            to: m.phone.e164("1"),
            body: `use ${m.email()} instead`,
          },
        ],
      },
      "/whatsapp": {
        entry: [
          {
            changes: [
              {
                value: {
                  contacts: [{ profile: { name: "Bo" }, wa_id: m.phone.of("44") }],
                  messages: [
                    {
                      from: m.unclaimed("number under from", m.number(12)),
                      text: { body: `ring me on ${m.phone.international("34")}` },
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    },
    files: {
      "transcript.txt": `00:01 agent: who am I talking to?\n00:04 caller: you can reach me at ${m.phone.dashed()} or at work ${m.phone.us()}\n00:09 caller: my social is ${m.ssn()}\n00:15 caller: card number ${m.card()} expiry 11/28\n00:22 caller: pin is ${m.number_("pin", 6)}\n`,
      "contacts.vcf": `BEGIN:VCARD\nVERSION:3.0\nFN:${m.name()}\nTEL;TYPE=CELL:${m.phone.e164("49")}\nEMAIL:${m.email()}\nBDAY:${m.born()}\nEND:VCARD\n`,
    },
    tables: {
      call: {
        columns: "id INTEGER, caller TEXT, callee TEXT, seconds INTEGER",
        rows: [
          [1, m.phone.e164("1"), m.phone.e164("1"), 62],
          [2, m.phone.international("1"), m.phone.e164("52"), 8],
        ],
      },
    },
    value: { from: m.phone.e164("1"), to: m.phone.e164("1"), text: `see you, ${m.email()}` },
    logs: [
      `inbound sms from=${m.phone.e164("1")} to=${m.phone.e164("1")} len=44`,
      `[twilio] SK=${m.twilio()} ok`,
      `call ${m.phone.us()} -> ${m.phone.dashed()} ended after 62s`,
    ],
    fails: `21211: The 'To' number ${m.phone.e164("1")} is not a valid phone number.`,
    reply: `ok! saved ${m.phone.dashed()}. a person calls you back from ${m.phone.e164("1")}.`,
  };
}

export function people(m) {
  m.at("people");
  return {
    sdk: "anthropic",
    system: "You prepare contracts and payroll for the HR team.",
    prompt: `New hire starts Monday: personal mail ${m.email()}, mobile ${m.phone.international()}, IBAN ${m.iban(true)}, tax ID ${m.taxId()}, geboren am ${m.bornDe()}, wohnhaft ${m.strasse()}, 20095 Hamburg. Sozialversicherungsnummer: ${m.unclaimed("mistyped insurance number", `12${m.number(6)}M013`)}.`,
    headers: { "api-key": m.secret(32), "x-forwarded-for": m.ip() },
    api: {
      "/employees/55": {
        employee: {
          first_name: m.name(),
          last_name: m.name(),
          personal_email: m.email(),
          home_phone: m.phone.us(),
          ssn: m.ssn(),
          passport_number: m.passport(),
          date_of_birth: m.born(),
          bank_account: { iban: m.iban(), account_number: m.number_("account", 10) },
          salary: { amount: 68000, currency: "EUR" },
        },
        manager: { email: m.email("corp.example") },
        documents: [{ type: "passport", number: m.passport(), issued: "2019-02-11" }],
      },
    },
    files: {
      "payroll.tsv": `employee\tiban\tssn\tgross\n1001\t${m.iban()}\t${m.ssn()}\t5200.00\n1002\t${m.iban()}\t${m.ssn()}\t4900.00\n`,
      "contract.txt": `EMPLOYMENT AGREEMENT\nbetween Example GmbH and the employee, residing at ${m.street()}, e-mail ${m.email()}, passport no. ${m.passport()}.\nSalary is paid to ${m.iban(true)}.\n`,
      "onboarding.yaml": `employee:\n  first_name: ${m.unclaimed("name in YAML", m.word())}\n  email: ${m.email()}\n  phone: "${m.phone.international("44")}"\n  accounts:\n    - system: vpn\n      username: jdoe\n      password: ${m.password()}\n    - system: erp\n      initial_password: "${m.password()}"\n`,
    },
    tables: {
      staff: {
        columns: "id INTEGER, surname TEXT, birth_date TEXT, tax_id TEXT, iban TEXT",
        rows: [
          [1, m.name(), m.born(), m.taxId(), m.iban()],
          [2, m.name(), m.born(), m.taxId(), m.iban()],
        ],
      },
    },
    value: [
      { field: "passport", value: m.passport() },
      { field: "dob", value: m.born() },
      { name: "temporary_password", value: m.password() },
    ],
    logs: [
      `created mailbox ${m.email("corp.example")} initial password: ${m.password()}`,
      `badge reader ${m.mac()} paired from ${m.ip()}`,
    ],
    fails: `payroll export failed for ${m.email()}: bad IBAN ${m.iban()}`,
    reply: `The contract is ready. I mailed it to ${m.email()} and stored the passport ${m.passport()}.`,
  };
}

export function insurance(m) {
  m.at("insurance");
  return {
    sdk: "openai",
    system: "You triage claims of an insurance.",
    prompt: `Claim for policy 33-1987: the accident was at ${m.street()}. The other driver gave his phone (${m.phone.us()}) and mail (${m.email()}). Driver's license: ${m.number_("driving licence", 9)}. Pay out to account number ${m.number_("account", 10)}, routing 021000021.`,
    headers: {
      "proxy-authorization": `Basic ${Buffer.from(`claims:${m.password()}`).toString("base64")}`,
      "x-auth-token": m.secret(40),
    },
    api: {
      "/claims/9": {
        claim: {
          claimant: {
            given_name: m.name(),
            surname: m.name(),
            date_of_birth: m.born(),
            driver_license_number: m.number_("driving licence", 9),
            phone: m.phone.dashed(),
            mailing_address: m.street(),
          },
          witnesses: [{ full_name: m.name(), email: m.email(), phone_number: m.phone.us() }],
          payout: { iban: m.ibanGb(), sort_code: "20-00-00" },
        },
      },
    },
    files: {
      "claim.xml": `<claim id="9"><claimant><firstName>${m.name()}</firstName><dateOfBirth>${m.born()}</dateOfBirth><ssn>${m.ssn()}</ssn><email>${m.email()}</email><phone>${m.phone.dashed()}</phone></claimant><payout iban="${m.iban()}"/></claim>`,
      "mail.eml": `From: "Claimant" <${m.email()}>\nTo: claims@insurance.example\nCc: ${m.email()}\nReceived: from mx.example ([${m.ip()}])\nSubject: my claim\n\nHello,\nplease use ${m.phone.us()} for questions. My bank: ${m.iban(true)}.\n> On Monday ${m.email()} wrote:\n> what is your SSN?\nIt is ${m.ssn()}.\n`,
      "adjuster.md": `| field | value |\n|---|---|\n| phone | ${m.phone.dashed()} |\n| email | ${m.email()} |\n| date of birth | ${m.born()} |\n`,
    },
    tables: {
      party: {
        columns: "id INTEGER, full_name TEXT, driver_license TEXT, phone TEXT, street TEXT",
        rows: [[1, m.name(), m.number_("driving licence", 9), m.phone.dashed(), m.street()]],
      },
    },
    value: new Map([
      ["claimant_ssn", m.ssn()],
      ["claimant_phone", m.phone.dashed()],
      ["iban", m.iban()],
    ]),
    logs: [`claim 9 assigned, callback=${m.phone.e164("1")} mail=${m.email()}`],
    fails: `fraud check: ${m.email()} and ${m.phone.us()} appear in 3 claims`,
    reply: `I opened the claim and wrote to ${m.email()}.`,
  };
}
