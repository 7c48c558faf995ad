import type { Fault } from './faults.ts'

/** A change of what a vendor serves. */
export interface RecordChange {
  readonly id: string
  readonly kind: 'created' | 'updated' | 'deleted'
}

type Served = { readonly id: unknown }

/** Returns the differences of the records of two moments, by their ids. */
export function changesBetween(
  before: readonly Served[],
  after: readonly Served[],
): RecordChange[] {
  const former = new Map(before.map((record) => [String(record.id), JSON.stringify(record)]))
  const present = new Map(after.map((record) => [String(record.id), JSON.stringify(record)]))
  const gone = [...former.keys()].filter((id) => !present.has(id))
  return [
    ...gone.map((id) => ({ id, kind: 'deleted' as const })),
    ...[...present].flatMap(([id, text]): RecordChange[] => {
      if (!former.has(id)) return [{ id, kind: 'created' }]
      return former.get(id) === text ? [] : [{ id, kind: 'updated' }]
    }),
  ]
}

/** Applies faults of pushes to messages, in their order. */
export function disturb<Message>(
  messages: readonly Message[],
  faults: readonly Fault[],
): Message[] {
  const has = (kind: Fault['kind']): boolean => faults.some((fault) => fault.kind === kind)
  if (has('push_silent')) return []
  const twice = has('push_twice') ? messages.flatMap((one) => [one, one]) : [...messages]
  return has('push_shuffled') ? twice.reverse() : twice
}
