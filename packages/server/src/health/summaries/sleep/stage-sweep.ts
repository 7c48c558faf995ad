import type { SleepSource, SleepStage, StagedRecord, StagedSegment } from './sleep-record.ts'

/** The most particular first. */
const STAGES: readonly SleepStage[] = ['deep', 'rem', 'light', 'awake', 'asleep']

/**
 * Goes through the records of one session in order of time and takes at each instant what the best
 * source says.
 * @returns The stages, and how long each source told them, in milliseconds in the order of `ranked`.
 */
export function sweepStages(
  records: readonly StagedRecord[],
  ranked: readonly SleepSource[],
): { segments: StagedSegment[]; winners: number[] } {
  const edges = edgesOf(records, ranked)
  const open = new Array<number>(ranked.length * STAGES.length).fill(0)
  const winners = ranked.map(() => 0)
  const segments: StagedSegment[] = []
  for (let index = 0; index < edges.length; ) {
    const at = (edges[index] as Edge).at
    for (; index < edges.length && edges[index]?.at === at; index++) {
      const { slot, change } = edges[index] as Edge
      open[slot] = (open[slot] as number) + change
    }
    const slot = open.findIndex((count) => count > 0)
    const until = edges[index]?.at
    if (slot === -1 || until === undefined) continue
    const source = Math.floor(slot / STAGES.length)
    winners[source] = (winners[source] as number) + until - at
    extend(segments, STAGES[slot % STAGES.length] as SleepStage, at, until)
  }
  return { segments, winners }
}

interface Edge {
  at: number
  /** Place of the source and stage, the best one first. */
  slot: number
  change: 1 | -1
}

function edgesOf(records: readonly StagedRecord[], ranked: readonly SleepSource[]): Edge[] {
  const edges: Edge[] = []
  for (const { sourceType, appId, stage, startedAt, endedAt } of records) {
    const source = ranked.findIndex(
      (candidate) => candidate.sourceType === sourceType && candidate.appId === appId,
    )
    const slot = source * STAGES.length + STAGES.indexOf(stage)
    edges.push({ at: startedAt, slot, change: 1 }, { at: endedAt, slot, change: -1 })
  }
  return edges.sort((a, b) => a.at - b.at)
}

function extend(segments: StagedSegment[], stage: SleepStage, from: number, to: number): void {
  const last = segments.at(-1)
  if (last?.stage === stage && last.endedAt === from) last.endedAt = to
  else segments.push({ stage, startedAt: from, endedAt: to })
}
