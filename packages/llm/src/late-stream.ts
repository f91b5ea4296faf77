/**
 * A stream that is known only after a wait. Its items then pass without a layer of their own: with a generator around the stream each token
 * would pay for one. It is not begun when the reader has gone before it was known.
 */
export function lateStream<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  let items: AsyncIterator<T> | undefined;
  let isOver = false;
  const over: IteratorResult<T> = { done: true, value: undefined };
  const begin = async (): Promise<IteratorResult<T>> => {
    const stream = await open();
    if (isOver) return over;
    items = stream[Symbol.asyncIterator]();
    return items.next();
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => (isOver ? Promise.resolve(over) : items ? items.next() : begin()),
      return: async () => {
        isOver = true;
        await items?.return?.();
        return over;
      },
    }),
  };
}
