import { expect, test } from "vitest";
import { createScrubber } from "./scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 3) });
const scrubbed = (text: string): string => scrubber.scrub(text).text.replace(/_[a-z]{4}_[a-z]{16}/g, "");

test.each([
  ["The TAN you sent me is 981161. Call me.", "The TAN you sent me is AUTH. Call me."],
  ["code u sent: 505605", "code u sent: AUTH"],
  ["the code I got by text was 505605", "the code I got by text was AUTH"],
  ["TAN: 981161, pushTAN 772215", "TAN: AUTH, pushTAN AUTH"],
  ["Hi,\nmy pw is Kelnemmir21!\nserver", "Hi,\nmy pw is AUTH!\nserver"],
  ["the password is sunshine42, use it", "the password is AUTH, use it"],
  ["call 0049 30 901820 now", "call PHONE now"],
  ["call 0049.30.901820 now", "call PHONE now"],
  ["my pw: Kelnemmir21x, ok", "my pw: AUTH, ok"],
  [
    'I ran mysql -u root shop. Also "docker login -u ci -p Pytdovfid73* registry.example".',
    'I ran mysql -u root shop. Also "docker login -u ci -p AUTH registry.example".',
  ],
  ["URL=postgres://app:Lombquolomb42#@db.internal:5432/shop,", "URL=postgres://AUTH:AUTH@db.internal:5432/shop,"],
  ["URL=postgres://app:Lombquo?lomb42@db.internal:5432/shop,", "URL=postgres://AUTH:AUTH@db.internal:5432/shop,"],
  [
    '{"documents":[{"type":"passport","number":"G15759877"}]}',
    '{"documents":[{"type":"passport","number":"PASSPORT"}]}',
  ],
  ['{"number":"G11000480","documentType":"PASSPORT"}', '{"number":"PASSPORT","documentType":"PASSPORT"}'],
  ['{"idType":"ssn","value":"123456789"}', '{"idType":"ssn","value":"SSN"}'],
  ['{"wa_id":"4915112345678"}', '{"wa_id":"PHONE"}'],
  ["mrn,first_name,last_name\n10001,Wexsarn,Gastdov\n", "mrn,first_name,last_name\n10001,PERSON,PERSON\n"],
  ["id;Nachname;street_address\n1;Müller;12 Oak Hill\n", "id;Nachname;street_address\n1;PERSON;ADDRESS\n"],
  ["<firstName>Wexsarn</firstName><surname>Li</surname>", "<firstName>PERSON</firstName><surname>PERSON</surname>"],
])("is found: %j", (text, expected) => {
  expect(scrubbed(text)).toBe(expected);
  expect(scrubbed(scrubber.scrub(text).text)).toBe(expected);
});

test.each([
  ["the tan is 30 and tan 4512 of it"],
  ["code 200 was sent: 1024 bytes"],
  ['{"sid":"SM1123456789abcdef0123456789abcdef","account_sid":"AC1123456789abcdef0123456789abcdef"}'],
  ['{"type":"issue","number":"20112233"}'],
  ['{"type":"passport","number":"3"}'],
  ['{"wa_id":"unknown","type":"card","number":"12"}'],
  ["see https://h.example/a?x=1@home and https://h.example/#/users/@me"],
  ["https://medium.example/@ada/post#section:1@2"],
  ["| First name | Last name |\n|---|---|\n| the given name | the family name |"],
  ["first_name,last_name\nstring,string\n"],
  ["<firstName>string</firstName><lastName/>"],
  ["the password is argon2id and the other is base64 and was sha256"],
  ["index 23f6a05..0076149 100644"],
  ["root      0025  0.0  0.1 232334 13479 ?  Ss  06:15  0:00 node"],
  ["root      0091  0.0  0.1 844066 36540 ?  Ss  01:45  0:00 node"],
  ["pw is short for password, and pw: see below"],
])("stays: %j", (text) => {
  expect(scrubber.scrub(text).text).toBe(text);
});
