import type { RankedSource } from '../../source-priorities/index.ts'
import { MILLIONTHS, SET_ASIDE_REASONS, type SetAsideReason } from './claim-samples.ts'
import type { MergedChunk } from './merge-chunk.ts'
import { type Slot, visitPieces, visitReadings } from './roll-up.ts'
import { at, type SourceSamples } from './source-samples.ts'

/** A sample that takes part in a slot, or does not. */
export interface ExplainedSample {
  source: RankedSource
  /** Of the whole sample: epoch milliseconds, and its value in the unit of the series. */
  startedAt: number
  endedAt: number
  value: number
  /** What of the value lies in the slot and counts, or does not. Of a reading: the whole. */
  part: number
}

export interface SetAsideSample extends ExplainedSample {
  reason: SetAsideReason
  /** The source that has the time instead. */
  wonBy: RankedSource
}

export interface SlotExplanation {
  used: ExplainedSample[]
  setAside: SetAsideSample[]
}

/** For every slot of a chunk the samples it was made of, and those in it that do not count. */
export function explainSlots(chunk: MergedChunk): Map<Slot, SlotExplanation> {
  const explanations = new Map<Slot, SlotExplanation>(
    chunk.slots.map((slot) => [slot, { used: [], setAside: [] }]),
  )
  if (chunk.options.rule.kind === 'sum') explainSums(chunk, explanations)
  else explainLevels(chunk, explanations)
  return explanations
}

function sampleOf(samples: SourceSamples, index: number, part: number): ExplainedSample {
  return {
    source: samples.source,
    startedAt: at(samples.startedAt, index),
    endedAt: at(samples.endedAt, index),
    value: at(samples.value, index),
    part,
  }
}

function explainSums(
  { claims: all, sources, options }: MergedChunk,
  explanations: Map<Slot, SlotExplanation>,
): void {
  for (const claims of all) {
    visitPieces(claims, options, ({ part, slot, counted, aside }) => {
      const explanation = explanations.get(slot)
      if (explanation === undefined) return
      const index = at(claims.sample, part)
      const reason = at(claims.reason, part)
      if (counted > 0 || reason < 0) {
        explanation.used.push(sampleOf(claims.samples, index, counted / MILLIONTHS))
      }
      if (reason >= 0 && (aside > 0 || counted === 0)) {
        explanation.setAside.push({
          ...sampleOf(claims.samples, index, aside / MILLIONTHS),
          reason: SET_ASIDE_REASONS[reason] as SetAsideReason,
          wonBy: sources[at(claims.winner, part)] as RankedSource,
        })
      }
    })
  }
}

function explainLevels(
  { samples: all, sources, options }: MergedChunk,
  explanations: Map<Slot, SlotExplanation>,
): void {
  for (const [source, samples] of all.entries()) {
    visitReadings(samples, options, (slot, index) => {
      const explanation = explanations.get(slot)
      const best = slot.shares[0]
      if (explanation === undefined || best === undefined) return
      const sample = sampleOf(samples, index, at(samples.value, index))
      if (best.source === source) explanation.used.push(sample)
      else {
        const wonBy = sources[best.source] as RankedSource
        explanation.setAside.push({ ...sample, reason: 'lower_priority_source', wonBy })
      }
    })
  }
}
