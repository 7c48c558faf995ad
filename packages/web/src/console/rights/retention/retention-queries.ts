import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { resourceTitle } from '../../people/person/resource-title.ts'

export type RetainedResource = components['schemas']['RetainedResource']
export type RetentionRule = components['schemas']['RetentionRule']

const RULES = '/v1/org/{org_id}/team/{team_id}/{env}/retention'

const retentionKey = ({ key }: Environment) => [...key, 'retention'] as const

/** Titles that say more than the words of the resource. */
const TITLES: Readonly<Record<string, string>> = {
  put_aside: 'Items that could not be stored',
  workout_stream: 'Recordings of workouts',
  lab_report: 'Uploaded lab reports',
  lab_order: 'Orders with their results',
  lab_message: 'Messages of laboratories',
  insurance_policy: 'Insurance policies',
}

export const titleOf = (resource: string): string => TITLES[resource] ?? resourceTitle(resource)

/** Loads the resources that rules can be set for, with their limits. */
export const resourcesQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [...retentionKey(environment), 'resources'],
    queryFn: async ({ signal }) => {
      const params = { path: environment.path }
      return (await unwrapResponse(management.GET(`${RULES}/resource`, { params, signal }))).data
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const readRules = async ({ path }: Environment, signal?: AbortSignal): Promise<RetentionRule[]> => {
  const options = { params: { path }, ...(signal && { signal }) }
  return (await unwrapResponse(management.GET(RULES, options))).rules
}

/** Loads the rules of the environment. */
export const rulesQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [...retentionKey(environment), 'rules'],
    queryFn: ({ signal }) => readRules(environment, signal),
  })

/** Loads the newest change of the rules from the audit log; null without one. */
export const lastChangeQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [...retentionKey(environment), 'last change'],
    queryFn: async ({ signal }) => {
      const route = '/v1/org/:org_id/team/:team_id/:env/retention'
      const query = { route, method: 'PUT', outcome: 'done' as const, limit: 1 }
      const address = '/v1/org/{org_id}/team/{team_id}/{env}/audit_log'
      const params = { path: environment.path, query }
      return (await unwrapResponse(management.GET(address, { params, signal }))).data[0] ?? null
    },
  })

/** Counts what a rule would remove now. */
export function useRetentionDryRun() {
  const { path } = useEnvironment()
  return useMutation({
    mutationFn: async ({ resource, days }: Pick<RetentionRule, 'resource' | 'days'>) => {
      const body = { rules: [{ resource, days }] }
      const answer = await unwrapResponse(
        management.POST(`${RULES}/dry_run`, { params: { path }, body }),
      )
      return { days, effect: answer.effects[0], heldPeople: answer.held_people }
    },
  })
}

/** Sets the rule of one resource, or removes it with null; other rules are kept. */
export function useRetentionRule() {
  const environment = useEnvironment()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({
      resource,
      days,
    }: {
      resource: RetentionRule['resource']
      days: number | null
    }) => {
      // The request replaces all rules, and others may have changed some meanwhile.
      const others = (await readRules(environment)).filter((rule) => rule.resource !== resource)
      const kept = others.map((rule) => ({ resource: rule.resource, days: rule.days }))
      const rules = days === null ? kept : [...kept, { resource, days }]
      const params = { path: environment.path }
      return unwrapResponse(management.PUT(RULES, { params, body: { rules } }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: retentionKey(environment) }),
  })
}
