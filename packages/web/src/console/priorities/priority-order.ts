/** Fields of a TeamSourcePriority of the API. */
export interface TeamRule {
  data_type: string
  /** Series; null means the whole data type. */
  resource: string | null
  slug: string
  source_type: string | null
  priority: number
}

/** Fields of a UserSourcePriorityInput of the API. */
export interface UserRule {
  resource?: string | null
  provider: string
  source_type?: string | null
  app_id?: string | null
  priority: number
}

/** A source, or all sources of a provider; null means any. */
export interface OrderedSource {
  provider: string
  type: string | null
  app: string | null
}

/** An entry of an order; OTHERS stands for every source that the order does not name. */
export type Entry = OrderedSource | typeof OTHERS
export const OTHERS = 'others'

export const keyOf = (entry: Entry): string =>
  entry === OTHERS ? OTHERS : JSON.stringify([entry.provider, entry.type, entry.app])

/** Whether two orders are the same. */
export const isSameOrder = (one: readonly Entry[], other: readonly Entry[]): boolean =>
  one.map(keyOf).join('\n') === other.map(keyOf).join('\n')

/** Returns the order with one entry at another place. */
export function moveEntry(entries: readonly Entry[], from: number, to: number): Entry[] {
  const moved = entries[from]
  if (moved === undefined || to < 0 || to >= entries.length) return [...entries]
  return entries.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** Returns the priority of each source: above the others from 1 up, below them from -1 down. */
function* prioritiesOf(entries: readonly Entry[]): Generator<[OrderedSource, number]> {
  const others = entries.indexOf(OTHERS)
  const middle = others === -1 ? entries.length : others
  for (const [place, entry] of entries.entries()) {
    if (entry !== OTHERS) yield [entry, middle - place]
  }
}

/** What an order of the team is about: a data type, or one series of `timeseries`. */
export interface TeamSubject {
  data_type: TeamRule['data_type']
  resource: TeamRule['resource']
}

const isAbout = (rule: TeamRule, { data_type, resource }: TeamSubject): boolean =>
  rule.data_type === data_type && rule.resource === resource

const sourceOf = ({ slug, source_type }: TeamRule): OrderedSource => ({
  provider: slug,
  type: source_type,
  app: null,
})

/** Returns the stored order of a team: what has a priority, around all others. */
export function orderOfTeam(rules: readonly TeamRule[], subject: TeamSubject): Entry[] {
  const ranked = rules
    .filter((rule) => isAbout(rule, subject) && rule.priority !== 0)
    .toSorted((a, b) => b.priority - a.priority)
  const above = ranked.filter(({ priority }) => priority > 0).map(sourceOf)
  const below = ranked.filter(({ priority }) => priority < 0).map(sourceOf)
  return [...above, OTHERS, ...below]
}

/** Returns the changes that make an order the one of the team; what left it gets 0 again. */
export function changesOfTeam(
  rules: readonly TeamRule[],
  subject: TeamSubject,
  entries: readonly Entry[],
): TeamRule[] {
  const wanted = new Map(
    [...prioritiesOf(entries)].map(([source, priority]) => [keyOf(source), { source, priority }]),
  )
  const ofSubject = rules.filter((rule) => isAbout(rule, subject))
  const stored = new Map(ofSubject.map((rule) => [keyOf(sourceOf(rule)), rule.priority]))
  for (const rule of ofSubject) {
    const key = keyOf(sourceOf(rule))
    if (!wanted.has(key)) wanted.set(key, { source: sourceOf(rule), priority: 0 })
  }
  return [...wanted]
    .filter(([key, { priority }]) => (stored.get(key) ?? 0) !== priority)
    .map(([, { source, priority }]) => ({
      ...subject,
      ...{ slug: source.provider, source_type: source.type, priority },
    }))
}

/** Returns changes that restore what these replace. */
export function undoTeamChanges(
  rules: readonly TeamRule[],
  changes: readonly TeamRule[],
): TeamRule[] {
  return changes.map((change) => {
    const before = rules.find(
      (rule) =>
        rule.slug === change.slug &&
        rule.data_type === change.data_type &&
        rule.resource === change.resource &&
        rule.source_type === change.source_type,
    )
    return { ...change, priority: before?.priority ?? 0 }
  })
}

const ruleSource = (rule: UserRule): OrderedSource => ({
  provider: rule.provider,
  type: rule.source_type ?? null,
  app: rule.app_id ?? null,
})

/**
 * Returns the order of a person for a resource: the sources of a day as they are ranked, and those
 * that rules name beside them.
 * @param ranked Best first.
 */
export function orderOfPerson(
  rules: readonly UserRule[],
  resource: string,
  ranked: readonly OrderedSource[],
): Entry[] {
  const own = rules.filter((rule) => (rule.resource ?? '') === resource && rule.priority !== 0)
  const priorities = new Map(own.map((rule) => [keyOf(ruleSource(rule)), rule.priority]))
  const priorityOf = (source: OrderedSource): number =>
    priorities.get(keyOf(source)) ??
    priorities.get(keyOf({ ...source, app: null })) ??
    priorities.get(keyOf({ ...source, app: null, type: null })) ??
    0
  const order = withoutNeedlessApps(ranked)
  for (const rule of own.toSorted((a, b) => b.priority - a.priority)) {
    const source = ruleSource(rule)
    if (order.some((known) => covers(source, known))) continue
    const next = order.findIndex((known) => priorityOf(known) < rule.priority)
    order.splice(next === -1 ? order.length : next, 0, source)
  }
  const firstBelow = order.findIndex((source) => priorityOf(source) < 0)
  return order.toSpliced(firstBelow === -1 ? order.length : firstBelow, 0, OTHERS as never)
}

/** Whether a rule about one source is about the other, too. */
const covers = (rule: OrderedSource, source: OrderedSource): boolean =>
  rule.provider === source.provider &&
  (rule.type === null || rule.type === source.type) &&
  (rule.app === null || source.app === null || rule.app === source.app)

/** A source needs its app only beside another one of the same provider and type. */
function withoutNeedlessApps(ranked: readonly OrderedSource[]): OrderedSource[] {
  const kindOf = ({ provider, type }: OrderedSource): string => `${provider} ${type}`
  const counts = Map.groupBy(ranked, kindOf)
  return ranked.map((source) =>
    (counts.get(kindOf(source))?.length ?? 0) > 1 ? source : { ...source, app: null },
  )
}

/**
 * Returns all rules of a person with an order for a resource in place of the rules for it.
 * @param entries Undefined removes the rules for the resource.
 */
export function rulesOfPerson(
  rules: readonly UserRule[],
  resource: string,
  entries: readonly Entry[] | undefined,
): UserRule[] {
  const others = rules.filter((rule) => (rule.resource ?? '') !== resource)
  const made = [...prioritiesOf(entries ?? [])].map(([source, priority]) => ({
    resource: resource === '' ? null : resource,
    provider: source.provider,
    source_type: source.type,
    app_id: source.app,
    priority,
  }))
  return [...others, ...made]
}
