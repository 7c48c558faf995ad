import { queryOptions } from '@tanstack/react-query'
import { unwrapResponse } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { formatQuantity } from '../../components/format-quantity.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type LabTest = components['schemas']['LabTest']
export type MarkerComplete = components['schemas']['MarkerComplete']

export const labsQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'labs'],
    queryFn: ({ signal }) => unwrapResponse(team.GET('/v3/lab_tests/labs', { signal })),
    staleTime: 300_000,
  })

interface Priced {
  base_amount_minor?: number
  unspecified?: string
}

/** Formats a price in cents as dollars, or says why there is none. */
export function describePrice(price: object | undefined): string {
  const { base_amount_minor: cents, unspecified } = (price ?? {}) as Priced
  if (cents !== undefined) return `$${(cents / 100).toFixed(2)}`
  return unspecified === 'refer_to_contract' ? 'By contract' : '–'
}

/** Describes how long results take: usually and at most. */
export function describeTurnaround(common: number | null, worst: number | null): string {
  if (common === null && worst === null) return '–'
  if (common === null || worst === null || common === worst)
    return formatQuantity(common ?? worst ?? 0, 'day')
  return `${common} to ${worst} days`
}

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  active: { label: 'Can be ordered', tone: 'good' },
  pending_approval: { label: 'Waits for approval', tone: 'warning' },
  inactive: { label: 'Archived', tone: 'neutral' },
}

/** Describes the status of a test, with the tone of a badge. */
export const describeTestStatus = (status: string): { label: string; tone: Tone } =>
  STATES[status] ?? { label: status, tone: 'neutral' }
