/** What a password is called in other languages: names that end with one are secret. Reviewed as data. */
const WORDS =
  "passwort kennwort contraseña contrasena senha пароль парола пароли 密码 密碼 口令 hasło haslo wachtwoord lösenord losenord " +
  "パスワード 暗証番号 비밀번호 암호 şifre sifre parolă adgangskode kodeord passord salasana heslo jelszó jelszo lozinka лозинка geslo " +
  "slaptažodis parole κωδικός סיסמה סיסמא 密語 รหัสผ่าน पासवर्ड пароља motdepasse palavrapasse katasandi " +
  // names of keys and tokens that say secret by themselves
  "密钥 密鑰 秘钥 私钥 令牌 秘密鍵 シークレット トークン 비밀키 개인키 токен";
/** Of several words: the last one, and what stands before it. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  passe: ["de", "palavra"],
  sandi: ["kata"],
  khẩu: ["mật"],
  المرور: ["كلمة"],
};

/** Endings of compound words: `benutzerkennwort`, `zugangstoken`, `登录密码`. */
export const FOREIGN_ENDING =
  /[a-z](?:passwort|kennwort|wachtwoord|l[öo]senord|passord|salasana|adgangskode)$|^(?:zugriffs?|zugangs?|api|geheim|toegangs?|anmelde|sitzungs)(?:schl(?:ue|ü|u)ssel|token|sleutel)$|(?:密码|密碼|口令|密钥|密鑰|私钥|令牌|パスワード|暗証番号|비밀번호|암호)$/;

/** Words for keys and tokens. They name a secret only beside a qualifier: `clé_api`, `zugriffs_schlüssel`, `token_de_acceso`. */
export const FOREIGN_KEYS: ReadonlySet<string> = new Set(
  (
    "schluessel schlüssel schlussel cle clé clef clave llave chave chiave sleutel nyckel nøgle nøkkel klucz klíč klic kulcs anahtar anahtarı ключ " +
    "token jeton ficha código codigo code codice"
  ).split(" "),
);
export const FOREIGN_QUALIFIERS: ReadonlySet<string> = new Set(
  (
    "api geheim geheime geheimer zugriff zugriffs zugang zugangs acces accès accesso acceso acesso secrete secrète privee privée privé " +
    "privada privata privato secreta secreto segreta segreto segreda hemlig hemliga tajny tajna gizli доступа секретный приватный шифрования"
  ).split(" "),
);

export const FOREIGN_PASSWORDS: ReadonlySet<string> = new Set(WORDS.split(" "));
/** Last words that only count behind one of these. */
export const FOREIGN_PHRASES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(PHRASES));
