/** What shall go wrong with an appointment, as its notes ask for it (docs/sandbox.md#the-sandbox-of-appointments). */
export type Wish =
  | { kind: 'taken' | 'refused' | 'silent' | 'lost' | 'declined' }
  /** It is taken at once and answered as much later. */
  | { kind: 'slow'; milliseconds: number }

const WISH = /\[sandbox: (?:(taken|refused|silent|lost|declined)|slow (\d{1,6})(s|m|h))\]/
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 }

/** The first wish that the notes of an appointment hold; undefined where all goes well. */
export function readWish(notes: string | null): Wish | undefined {
  const [, kind, count, unit] = WISH.exec(notes ?? '') ?? []
  if (kind !== undefined) return { kind: kind as 'taken' }
  if (count === undefined) return undefined
  return { kind: 'slow', milliseconds: Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS] }
}
