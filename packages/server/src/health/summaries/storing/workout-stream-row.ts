import type { SampleOwner } from '../../ingest/index.ts'
import { STREAM_CHANNELS, type WorkoutStream } from '../summary.ts'

const finite = (value: number | null): value is number => Number.isFinite(value)

/** A channel in TabSeparated form; a point that no number stands for is null. */
function channelText(values: readonly (number | null)[]): string {
  return `[${values.map((value) => (finite(value) ? String(value) : 'NULL')).join(',')}]`
}

/** A row in the order of STREAM_COLUMNS. */
export function streamRowText(
  { environmentId, userId }: SampleOwner,
  workoutId: string,
  stream: WorkoutStream,
  version: number,
): string {
  const channels = STREAM_CHANNELS.map((channel) => channelText(stream[channel] ?? []))
  const time = `[${stream.time.join(',')}]`
  return `${[environmentId, userId, workoutId, time, ...channels, version].join('\t')}\n`
}

/** True when two streams say the same; a channel that is not there is one that is empty. */
export function isSameStream(a: WorkoutStream, b: WorkoutStream): boolean {
  return (
    isSameList(a.time, b.time) &&
    STREAM_CHANNELS.every((channel) => isSameList(a[channel] ?? [], b[channel] ?? []))
  )
}

const plain = (value: number | null | undefined): number | null =>
  finite(value ?? null) ? (value as number) : null

function isSameList(a: readonly (number | null)[], b: readonly (number | null)[]): boolean {
  return a.length === b.length && a.every((value, index) => plain(value) === plain(b[index]))
}
