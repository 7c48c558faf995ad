import type { TaskPriority } from '@salus/accounts/tasks'
import type { ColumnType } from 'kysely'
import type { Condition, EpisodeStep, ResolvedReason, RuleStatus } from './rules.schema.ts'

export interface RulesTable {
  environment_id: string
  id: string
  name: string
  status: RuleStatus
  condition: ColumnType<Condition, string, string>
  /** Names of series and summaries as in changes of data; `*` is any. */
  resources: string[]
  applies_to_all: boolean
  emits_events: boolean
  task_priority: TaskPriority | null
  task_escalation_minutes: number | null
  cool_down_minutes: number
  maximum_data_age_hours: number
  created_at: Date
  updated_at: Date
  activated_at: Date
  prepared_at: Date | null
  prepared_through: string | null
}

interface RulePeopleTable {
  environment_id: string
  rule_id: string
  user_id: string
}

export interface RuleEpisodesTable {
  environment_id: string
  id: string
  rule_id: string
  user_id: string
  /** Local time in milliseconds as if it were UTC; of silence the instant. */
  starts_at: number
  ends_at: number | null
  value: number | null
  steps: ColumnType<EpisodeStep[], string, never>
  triggered_at: Date
  resolved_at: Date | null
  resolved_reason: ResolvedReason | null
}

export interface RuleChecksTable {
  environment_id: string
  user_id: string
  resources: string[]
  changed_at: Date
  version: number
  due_at: Date
}

interface RuleLastDataTable {
  environment_id: string
  user_id: string
  resource: string
  measured_at: Date
  arrived_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    rules: RulesTable
    rule_people: RulePeopleTable
    rule_episodes: RuleEpisodesTable
    rule_checks: RuleChecksTable
    rule_last_data: RuleLastDataTable
  }
}
