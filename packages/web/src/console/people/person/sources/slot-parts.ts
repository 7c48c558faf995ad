import type { components } from '../../../api/openapi.generated.d.ts'
import type { MergedSource } from './source-words.ts'

export type Slot = components['schemas']['StepsSlot']

interface SlotPart {
  key: string
  source: MergedSource
  samples: number
  /** The sum of an additive value, such as steps. */
  amount: number
}

interface SetAsidePart extends SlotPart {
  reason: string
  wonBy: MergedSource | undefined
}

const NOTHING = { samples: 0, amount: 0 }
const keyOf = ({ provider, type }: MergedSource): string => `${provider} ${type}`

/**
 * Summarizes whose samples make the value of a slot, and whose do not: one entry for each source,
 * or source and reason.
 */
export function sumUpSlot(slot: Pick<Slot, 'used' | 'set_aside'>): {
  used: SlotPart[]
  setAside: SetAsidePart[]
} {
  const used = new Map<string, SlotPart>()
  for (const { source, part } of slot.used ?? []) {
    const key = keyOf(source)
    const { samples, amount } = used.get(key) ?? NOTHING
    used.set(key, { key, source, samples: samples + 1, amount: amount + part })
  }
  const setAside = new Map<string, SetAsidePart>()
  for (const { source, part, reason, won_by: wonBy } of slot.set_aside ?? []) {
    const key = `${keyOf(source)} ${reason} ${wonBy && keyOf(wonBy)}`
    const { samples, amount } = setAside.get(key) ?? NOTHING
    setAside.set(key, {
      key,
      source,
      samples: samples + 1,
      amount: amount + part,
      reason,
      wonBy,
    })
  }
  return { used: [...used.values()], setAside: [...setAside.values()] }
}
