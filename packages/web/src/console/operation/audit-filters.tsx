import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { teamsQuery } from '../api/teams.ts'
import { IconX } from '../components/icons.tsx'
import { IdField } from '../components/id-field.tsx'

/**
 * The empty filters of the log; named as the parameters of the endpoint, except `what` and
 * `tokens`.
 */
export const NO_AUDIT_FILTER = {
  what: 'management',
  tokens: '',
  team_id: '',
  actor_id: '',
  user_id: '',
  outcome: '',
  since: '',
  until: '',
}
export type AuditView = typeof NO_AUDIT_FILTER

interface AuditFiltersProps {
  view: AuditView
  onChange: (changes: Partial<AuditView>) => void
}

const WHAT = [
  { value: 'management', label: 'Management actions' },
  { value: 'changes', label: 'All changes' },
  { value: 'reads', label: 'All requests, including reads' },
]

const OUTCOMES = [
  { value: '', label: 'Any outcome' },
  { value: 'done', label: 'Succeeded' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
]

export function AuditFilters({ view, onChange }: AuditFiltersProps): ReactNode {
  const { organization } = useSession()
  const { data: teams = [] } = useQuery(teamsQuery(organization.id))
  const isNarrow = JSON.stringify(view) !== JSON.stringify(NO_AUDIT_FILTER)
  const select = (
    name: keyof AuditView,
    label: string,
    data: { value: string; label: string }[],
  ) => (
    <NativeSelect
      label={label}
      value={view[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      data={data}
    />
  )
  const date = (name: 'since' | 'until', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={view[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  )
  return (
    <search className="operation-filters">
      {select('what', 'What', WHAT)}
      {select('team_id', 'Team', [
        { value: '', label: 'All teams' },
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {select('outcome', 'Outcome', OUTCOMES)}
      <IdField
        label="Id of a key"
        value={view.actor_id}
        onChange={(actor_id) => onChange({ actor_id })}
      />
      <IdField
        label="Id of a person"
        value={view.user_id}
        onChange={(user_id) => onChange({ user_id })}
      />
      {date('since', 'From (UTC)')}
      {date('until', 'To (UTC)')}
      <Checkbox
        label="Include access tokens of the console"
        checked={view.tokens === 'yes'}
        onChange={({ currentTarget }) => onChange({ tokens: currentTarget.checked ? 'yes' : '' })}
      />
      {isNarrow && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => onChange(NO_AUDIT_FILTER)}
        >
          Clear filters
        </Button>
      )}
    </search>
  )
}
