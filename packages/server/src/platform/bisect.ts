/** Halves a failing group may be cut into before the rest of it fails as a whole. */
const MOST_RETRIES = 24

/**
 * Does a group's work at once. When that fails, its halves are tried, so that what one member brings
 * fails no other: with one bad member of n that takes about 2 log₂ n tries more.
 * @param run One outcome a member, all or nothing; doing it again must be harmless.
 * @param isShared Whether an error says nothing of the members, so that trying again is no use.
 */
export async function bisect<Member, Outcome>(
  members: readonly Member[],
  run: (members: readonly Member[]) => Promise<readonly Outcome[]>,
  isShared: (error: unknown) => boolean,
): Promise<PromiseSettledResult<Outcome>[]> {
  let retries = MOST_RETRIES
  const attempt = async (group: readonly Member[]): Promise<PromiseSettledResult<Outcome>[]> => {
    try {
      const outcomes = await run(group)
      return outcomes.map((value) => ({ status: 'fulfilled', value }))
    } catch (reason) {
      if (group.length === 1 || retries < 2 || isShared(reason)) {
        return group.map(() => ({ status: 'rejected', reason }))
      }
      retries -= 2
      const middle = Math.ceil(group.length / 2)
      const first = await attempt(group.slice(0, middle))
      return [...first, ...(await attempt(group.slice(middle)))]
    }
  }
  return attempt(members)
}
