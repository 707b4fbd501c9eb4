import { type Frame, within } from "../run/context.ts";
import { type AnyGenerator, isSyncGenerator } from "../span/generator-kind.ts";
import { withRoom } from "../patch/stack-room.ts";

export interface GeneratorEnds {
  returned(value: unknown): void;
  threw(error: unknown): void;
}

/**
 * A generator that an agent returns: its body runs in `frame`, in whichever context its next value is requested, and the
 * run lasts until the generator has ended or is given up.
 */
export function watchAgentGenerator(frame: Frame, inner: AnyGenerator, ends: GeneratorEnds): AnyGenerator {
  return isSyncGenerator(inner) ? watchSync(frame, inner, ends) : watchAsync(frame, inner, ends);
}

function* watchSync(frame: Frame, inner: Generator, ends: GeneratorEnds): Generator {
  let over = false;
  try {
    for (let sent: unknown; ;) {
      const { done, value } = withRoom(() => within(frame, () => inner.next(sent)));
      if (done) {
        over = true;
        ends.returned(value);
        return value;
      }
      sent = yield value;
    }
  } catch (error) {
    if (!over) ends.threw(error);
    over = true;
    throw error;
  } finally {
    if (!over) {
      within(frame, () => inner.return(undefined));
      ends.returned(undefined);
    }
  }
}

async function* watchAsync(frame: Frame, inner: AsyncGenerator, ends: GeneratorEnds): AsyncGenerator {
  let over = false;
  try {
    for (let sent: unknown; ;) {
      const { done, value } = await withRoom(() => within(frame, () => inner.next(sent)));
      if (done) {
        over = true;
        ends.returned(value);
        return value;
      }
      sent = yield value;
    }
  } catch (error) {
    if (!over) ends.threw(error);
    over = true;
    throw error;
  } finally {
    if (!over) {
      await within(frame, () => inner.return(undefined));
      ends.returned(undefined);
    }
  }
}
