/**
 * Cuts a list in order of time into batches of neighbors, so that reads for a batch stay small.
 * @param span Maximum extent of a batch, in the unit of `timeOf`.
 */
export function splitByTime<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => number,
  most: number,
  span: number,
): Item[][] {
  const batches: Item[][] = []
  for (const item of items) {
    const batch = batches.at(-1)
    const first = batch?.[0]
    const fits =
      batch !== undefined &&
      first !== undefined &&
      batch.length < most &&
      timeOf(item) - timeOf(first) < span
    if (fits) batch.push(item)
    else batches.push([item])
  }
  return batches
}
