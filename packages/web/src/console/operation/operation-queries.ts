import { queryOptions } from '@tanstack/react-query'
import { management, unwrapResponse } from '../api/client.ts'
import type { components } from '../api/openapi.generated.d.ts'

type Schemas = components['schemas']
export type OperationStatus = Schemas['OperationStatus']
export type DeliveryStatus = Schemas['DeliveryStatus']
export type ProviderStatus = Schemas['ProviderStatusList']['data'][number]
export type ProviderSetup = Schemas['ProviderSetup']
export type JobKind = Schemas['JobKindList']['data'][number]
export type Job = Schemas['Job']
export type AuditRow = Schemas['AuditRow']
export type TeamOfRow = NonNullable<Schemas['Job']['team']>

/** Interval of reloading figures; sizes, which cost more, are reloaded less often. */
const SOON_MS = 10_000
const LATER_MS = 60_000

export const statusQuery = queryOptions({
  queryKey: ['operation', 'status'],
  queryFn: ({ signal }) => unwrapResponse(management.GET('/v1/operation/status', { signal })),
  refetchInterval: LATER_MS,
})

export const deliveryQuery = queryOptions({
  queryKey: ['operation', 'delivery'],
  queryFn: ({ signal }) => unwrapResponse(management.GET('/v1/operation/delivery', { signal })),
  refetchInterval: SOON_MS,
})

export const providersQuery = queryOptions({
  queryKey: ['operation', 'providers'],
  queryFn: async ({ signal }) =>
    (await unwrapResponse(management.GET('/v1/operation/provider', { signal }))).data,
  refetchInterval: LATER_MS,
})

export const providerSetupsQuery = queryOptions({
  queryKey: ['operation', 'provider setups'],
  queryFn: async ({ signal }) =>
    (await unwrapResponse(management.GET('/v1/operation/provider/setup', { signal }))).data,
  refetchInterval: LATER_MS,
})

export const jobKindsQuery = queryOptions({
  queryKey: ['operation', 'job kinds'],
  queryFn: async ({ signal }) =>
    (await unwrapResponse(management.GET('/v1/operation/job_kind', { signal }))).data,
  refetchInterval: SOON_MS,
})
