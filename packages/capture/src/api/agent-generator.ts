import { type Frame, within } from "../run/context.ts";
import { type AnyGenerator, isSyncGenerator } from "../span/generator-kind.ts";
import { withRoom } from "../patch/stack-room.ts";
import type { ResultDelivery } from "./result-delivery.ts";

export interface GeneratorEnds {
  returned(value: unknown): void;
  threw(error: unknown): void;
}

/**
 * A generator that an agent returns: its body runs in `frame`, in whichever context its next value is requested, and the
 * run lasts until the generator has ended or is given up. `deliveryOf`: called where a value is waited for, in the context of who waits.
 */
export function watchAgentGenerator(
  frame: Frame,
  inner: AnyGenerator,
  ends: GeneratorEnds,
  deliveryOf: () => ResultDelivery | null,
): AnyGenerator {
  return isSyncGenerator(inner) ? watchSync(frame, inner, ends) : watchAsync(frame, inner, ends, deliveryOf);
}

function* watchSync(frame: Frame, inner: Generator, ends: GeneratorEnds): Generator {
  let over = false;
  try {
    for (let ask = (): IteratorResult<unknown> => inner.next(); ;) {
      const { done, value } = withRoom(() => within(frame, ask));
      if (done) {
        over = true;
        ends.returned(value);
        return value;
      }
      try {
        const sent: unknown = yield value;
        ask = () => inner.next(sent);
      } catch (thrown) {
        ask = () => inner.throw(thrown);
      }
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

async function* watchAsync(
  frame: Frame,
  inner: AsyncGenerator,
  ends: GeneratorEnds,
  deliveryOf: () => ResultDelivery | null,
): AsyncGenerator {
  let over = false;
  /** of what is waited for */
  let delivery: ResultDelivery | null = null;
  const delivered = async (): Promise<void> => {
    const owed = delivery;
    delivery = null;
    await owed?.();
  };
  try {
    for (let ask = (): Promise<IteratorResult<unknown>> => inner.next(); ;) {
      const next = withRoom(() => within(frame, ask));
      delivery = deliveryOf();
      const { done, value } = await next;
      if (done) {
        over = true;
        ends.returned(value);
      }
      if (delivery !== null) await delivered();
      if (done) return value;
      try {
        const sent: unknown = yield value;
        ask = () => inner.next(sent);
      } catch (thrown) {
        ask = () => inner.throw(thrown);
      }
    }
  } catch (error) {
    if (!over) ends.threw(error);
    over = true;
    if (delivery !== null) await delivered();
    throw error;
  } finally {
    if (!over) {
      const given = within(frame, () => inner.return(undefined));
      delivery = deliveryOf();
      await given;
      ends.returned(undefined);
      if (delivery !== null) await delivered();
    }
  }
}
