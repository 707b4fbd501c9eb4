import { ask } from "./ask.js";

export default function Page() {
  return (
    <form action={ask}>
      <input name="message" />
      <button type="submit">ask</button>
    </form>
  );
}
