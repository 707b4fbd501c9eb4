/** What a password is called in other languages: names that end with one are secret. Reviewed as data. */
const WORDS =
  "passwort kennwort contraseña contrasena senha пароль парола пароли 密码 密碼 口令 hasło haslo wachtwoord lösenord losenord " +
  "パスワード 暗証番号 비밀번호 암호 şifre sifre parolă adgangskode kodeord passord salasana heslo jelszó jelszo lozinka лозинка geslo " +
  "slaptažodis parole κωδικός סיסמה סיסמא 密語 รหัสผ่าน пароља motdepasse palavrapasse katasandi";
/** Of several words: the last one, and what stands before it. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  passe: ["de", "palavra"],
  sandi: ["kata"],
  khẩu: ["mật"],
  المرور: ["كلمة"],
};

export const FOREIGN_PASSWORDS: ReadonlySet<string> = new Set(WORDS.split(" "));
/** Last words that only count behind one of these. */
export const FOREIGN_PHRASES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(PHRASES));
