import { badRequest } from '@salus/kernel/errors'
import { runInSlices } from '@salus/kernel/time-slices'
import type { RankedSource } from '../../source-priorities/index.ts'
import { MILLIONTHS, SET_ASIDE_REASONS, type SetAsideReason } from './claim-samples.ts'
import type { MergedChunk } from './merge-chunk.ts'
import { piecesOf, readingsOf, type Slot } from './roll-up.ts'
import { elementAt, type SourceSamples } from './source-samples.ts'

/** A sample in a slot that counts or not. */
export interface ExplainedSample {
  source: RankedSource
  /** Of the whole sample: epoch milliseconds, and its value in the unit of the series. */
  startedAt: number
  endedAt: number
  value: number
  /** Part of the value in the slot that counts, or does not. For a reading the whole. */
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

/** Maximum number of entries in the slots of a chunk: more than anyone reads. */
const MOST_LISTED = 100_000

/**
 * Returns, for every slot of a chunk, the samples that count and those that do not.
 * @throws AppError 400 `range_too_large` when there are too many to list
 */
export async function explainSlots(chunk: MergedChunk): Promise<Map<Slot, SlotExplanation>> {
  const explanations = new Map<Slot, SlotExplanation>(
    chunk.slots.map((slot) => [slot, { used: [], setAside: [] }]),
  )
  const isSum = chunk.options.rule.kind === 'sum'
  await runInSlices(limitListing(isSum ? explainSums : explainLevels, chunk, explanations))
  return explanations
}

type Explain = (
  chunk: MergedChunk,
  explanations: Map<Slot, SlotExplanation>,
) => Generator<void, void>

function* limitListing(
  explain: Explain,
  chunk: MergedChunk,
  explanations: Map<Slot, SlotExplanation>,
): Generator<void, void> {
  let listed = 0
  for (const _ of explain(chunk, explanations)) {
    if (++listed > MOST_LISTED) {
      throw badRequest(
        'range_too_large',
        'Too many samples to list. Request longer slots, a shorter range or one provider.',
        { most_samples: MOST_LISTED },
      )
    }
    yield
  }
}

function sampleOf(samples: SourceSamples, index: number, part: number): ExplainedSample {
  return {
    source: samples.source,
    startedAt: elementAt(samples.startedAt, index),
    endedAt: elementAt(samples.endedAt, index),
    value: elementAt(samples.value, index),
    part,
  }
}

/** Yields once for each entry. */
function* explainSums(
  { claims: all, sources, options }: MergedChunk,
  explanations: Map<Slot, SlotExplanation>,
): Generator<void, void> {
  for (const claims of all) {
    for (const { part, slot, counted, aside } of piecesOf(claims, options)) {
      const explanation = explanations.get(slot)
      if (explanation === undefined) continue
      yield
      const index = elementAt(claims.sample, part)
      const reason = elementAt(claims.reason, part)
      if (counted > 0 || reason < 0) {
        explanation.used.push(sampleOf(claims.samples, index, counted / MILLIONTHS))
      }
      if (reason >= 0 && (aside > 0 || counted === 0)) {
        explanation.setAside.push({
          ...sampleOf(claims.samples, index, aside / MILLIONTHS),
          reason: SET_ASIDE_REASONS[reason] as SetAsideReason,
          wonBy: sources[elementAt(claims.winner, part)] as RankedSource,
        })
      }
    }
  }
}

/** Yields once for each entry. */
function* explainLevels(
  { samples: all, sources, options }: MergedChunk,
  explanations: Map<Slot, SlotExplanation>,
): Generator<void, void> {
  for (const [source, samples] of all.entries()) {
    for (const { slot, index } of readingsOf(samples, options)) {
      const explanation = explanations.get(slot)
      const best = slot.shares[0]
      if (explanation === undefined || best === undefined) continue
      yield
      const sample = sampleOf(samples, index, elementAt(samples.value, index))
      if (best.source === source) explanation.used.push(sample)
      else {
        const wonBy = sources[best.source] as RankedSource
        explanation.setAside.push({ ...sample, reason: 'lower_priority_source', wonBy })
      }
    }
  }
}
