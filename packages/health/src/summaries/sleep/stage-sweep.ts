import type { SleepSource, SleepStage, StagedRecord, StagedSegment } from './sleep-record.ts'

/** An interval whose end is exclusive. Of overlapping ones the lowest rank counts. */
interface RankedSpan {
  rank: number
  from: number
  to: number
}

/** Removes overlaps of spans in any order: returns disjoint spans in order of time. */
export function sweepSpans(spans: readonly RankedSpan[]): RankedSpan[] {
  if (areApart(spans)) return spans.filter(({ from, to }) => to > from)
  const edges = spans
    .flatMap(({ rank, from, to }) => [
      { at: from, rank, change: 1 },
      { at: to, rank, change: -1 },
    ])
    .sort((a, b) => a.at - b.at)
  /** Number of open spans of each rank. */
  const open: number[] = []
  const swept: RankedSpan[] = []
  let since = Number.NEGATIVE_INFINITY
  for (const { at, rank, change } of edges) {
    const best = open.findIndex((count) => count > 0)
    if (at > since && best !== -1) swept.push({ rank: best, from: since, to: at })
    open[rank] = (open[rank] ?? 0) + change
    since = at
  }
  return swept
}

/** Whether spans are in order of time and none overlaps another, as in most nights. */
function areApart(spans: readonly RankedSpan[]): boolean {
  let until = Number.NEGATIVE_INFINITY
  for (const { rank, from, to } of spans) {
    if (!(rank >= 0 && from >= until && to >= from)) return false
    until = to
  }
  return true
}

/** The most specific first. */
const STAGES: readonly SleepStage[] = ['deep', 'rem', 'light', 'awake', 'asleep']

/**
 * Takes the stage of the best source at each instant of a session.
 * @returns The stages, and the time of each source, in milliseconds in the order of `ranked`.
 */
export function sweepStages(
  records: readonly StagedRecord[],
  ranked: readonly SleepSource[],
): { segments: StagedSegment[]; winners: number[] } {
  const spans = records.map(({ sourceType, appId, stage, startedAt: from, endedAt: to }) => {
    const source = ranked.findIndex(
      (candidate) => candidate.sourceType === sourceType && candidate.appId === appId,
    )
    return { rank: source * STAGES.length + STAGES.indexOf(stage), from, to }
  })
  const winners = ranked.map(() => 0)
  const segments: StagedSegment[] = []
  for (const { rank, from, to } of sweepSpans(spans)) {
    const source = Math.floor(rank / STAGES.length)
    winners[source] = (winners[source] as number) + to - from
    extendSegments(segments, STAGES[rank % STAGES.length] as SleepStage, from, to)
  }
  return { segments, winners }
}

function extendSegments(
  segments: StagedSegment[],
  stage: SleepStage,
  from: number,
  to: number,
): void {
  const last = segments.at(-1)
  if (last?.stage === stage && last.endedAt === from) last.endedAt = to
  else segments.push({ stage, startedAt: from, endedAt: to })
}
