import { queryOptions } from '@tanstack/react-query'
import { take } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { counted } from '../../components/counted.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type LabTest = components['schemas']['LabTest']
export type MarkerComplete = components['schemas']['MarkerComplete']

export const labsQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'labs'],
    queryFn: ({ signal }) => take(team.GET('/v3/lab_tests/labs', { signal })),
    staleTime: 300_000,
  })

interface Priced {
  base_amount_minor?: number
  unspecified?: string
}

/** Dollars of a price in cents, or why there is none. */
export function describePrice(price: object | undefined): string {
  const { base_amount_minor: cents, unspecified } = (price ?? {}) as Priced
  if (cents !== undefined) return `$${(cents / 100).toFixed(2)}`
  return unspecified === 'refer_to_contract' ? 'By contract' : '–'
}

/** How long results take, of most orders and of nearly all. */
export function describeDays(common: number | null, worst: number | null): string {
  if (common === null && worst === null) return '–'
  if (common === null || worst === null || common === worst)
    return counted(common ?? worst ?? 0, 'day')
  return `${common} to ${worst} days`
}

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  active: { label: 'Can be ordered', tone: 'good' },
  pending_approval: { label: 'Waits for approval', tone: 'warning' },
  inactive: { label: 'Archived', tone: 'neutral' },
}

/** Of a test, in words and with the tone of a badge. */
export const describeTestStatus = (status: string): { label: string; tone: Tone } =>
  STATES[status] ?? { label: status, tone: 'neutral' }
