import {
  type BookingAnswer,
  ProviderUnavailable,
  type SchedulingGateway,
  type SchedulingGateways,
  type Slot,
  type Visit,
} from '@salus/contracts/lab-gateway'

interface Asked {
  visit: Visit
  slot: Slot
  now: Date
}

/** A provider of appointments that answers as the test says, and records its calls. */
export interface ScriptedProvider {
  scheduling: SchedulingGateways
  /** Requested bookings. */
  asked: Asked[]
  /** Ids of appointments that were cancelled with it. */
  cancelled: string[]
  /** What it says to the next bookings; after the last one it is silent. It may throw or wait. */
  answers: (BookingAnswer | 'silent' | (() => Promise<BookingAnswer>))[]
  /** How often it does not take a cancellation. */
  deafFor: number
  /** Whether it announces maintenance when it does not take one. */
  isUnderMaintenance: boolean
}

export const BOOKED = {
  state: 'booked',
  providerId: 'P-9',
  externalId: 'QWERTY',
  isHeld: false,
} satisfies BookingAnswer as Extract<BookingAnswer, { state: 'booked' }>

export function scriptProvider(): ScriptedProvider {
  const script: ScriptedProvider = {
    scheduling: { find: () => gateway },
    asked: [],
    cancelled: [],
    answers: [],
    deafFor: 0,
    isUnderMaintenance: false,
  }
  const book = async (visit: Visit, slot: Slot, now: Date): Promise<BookingAnswer> => {
    script.asked.push({ visit, slot, now })
    const answer = script.answers.shift() ?? 'silent'
    if (answer === 'silent') throw new ProviderUnavailable()
    return typeof answer === 'function' ? answer() : answer
  }
  const gateway: SchedulingGateway = {
    provider: 'quest',
    serviceTypes: async () => [],
    listSlots: async () => [],
    book,
    reschedule: book,
    request: async () => ({ state: 'refused' }),
    async cancel({ appointmentId }) {
      script.deafFor -= 1
      if (script.deafFor >= 0) {
        throw new ProviderUnavailable({ isMaintenance: script.isUnderMaintenance })
      }
      script.cancelled.push(appointmentId)
    },
  }
  return script
}
