import { listHeldPeople } from '@salus/accounts/legal-holds'
import { invalidInput } from '@salus/kernel/errors'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { countOldData, findOldData } from './old-data.ts'
import { MOST_DAYS, RETAINED_RESOURCES } from './retention.registry.ts'
import * as repository from './retention.repository.ts'
import type {
  RetainedResources,
  RetentionDryRun,
  RetentionRules,
  RetentionRulesInput,
} from './retention.schema.ts'

const MINIMUM_DAYS = new Map(RETAINED_RESOURCES.map(({ name, minimumDays }) => [name, minimumDays]))

interface Rule {
  resource: string
  days: number
}

/** Returns the resources for which rules can be made, and their limits. */
export function showResources(): RetainedResources {
  return {
    data: RETAINED_RESOURCES.map(({ name: resource, kind, meaning, minimumDays }) => ({
      resource,
      kind,
      meaning,
      minimum_days: minimumDays,
      maximum_days: MOST_DAYS,
    })),
  }
}

/**
 * Returns the number of days for which each resource is kept; data without a rule are not removed.
 */
export async function showRules(scope: RowScope): Promise<RetentionRules> {
  const rows = await repository.listRules(scope)
  return {
    rules: rows.map(({ resource, days, updated_at, applied_at, last_removed }) => ({
      resource,
      days,
      updated_at: formatInstant(updated_at),
      applied_at: applied_at && formatInstant(applied_at),
      last_removed,
    })),
  }
}

/**
 * Replaces all rules.
 * @throws InputError for two rules of one resource, and for fewer days than a resource allows
 */
export function putRules(scope: Scope, { rules }: RetentionRulesInput): Promise<RetentionRules> {
  checkRules(rules)
  return scope.transaction(async (tx) => {
    await repository.replaceRules(tx, rules, tx.clock.now())
    return showRules(tx)
  })
}

function checkRules(rules: readonly Rule[]): void {
  const seen = new Set<string>()
  for (const [index, { resource, days }] of rules.entries()) {
    if (seen.has(resource)) {
      throw invalidInput(
        ['body', 'rules', index, 'resource'],
        'The resource has two rules',
        'duplicate',
      )
    }
    seen.add(resource)
    const minimum = MINIMUM_DAYS.get(resource) ?? 1
    if (days < minimum) {
      const message = `The resource is kept for at least ${minimum} days`
      throw invalidInput(['body', 'rules', index, 'days'], message, 'greater_than_equal')
    }
  }
}

/**
 * Returns what rules would remove now; nothing is changed.
 * @throws InputError for two rules of one resource, and for fewer days than a resource allows
 */
export async function previewRules(
  scope: Scope,
  { rules }: RetentionRulesInput,
): Promise<RetentionDryRun> {
  checkRules(rules)
  const held = await listHeldPeople(scope)
  const effects: RetentionDryRun['effects'] = []
  for (const { resource, days } of rules) {
    const old = findOldData(scope, { resource, days }, held)
    const found = await countOldData(scope, old)
    effects.push({ resource, days, older_than: formatInstant(old.cutoff), ...found })
  }
  return { effects, held_people: held.length }
}
