import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { PersonPicker } from '../components/person-picker.tsx'
import { useQueryTables } from '../queries/use-query-run.ts'
import type { RuleDraft } from './rule-draft.ts'
import { COMPARISONS, CONDITION_TITLE, columnTitle } from './rule-words.ts'

interface FieldsProps {
  draft: RuleDraft
  onChange: (changes: Partial<RuleDraft>) => void
}

const TYPES = Object.entries(CONDITION_TITLE).map(([value, label]) => ({ value, label }))
const FUNCTIONS = ['mean', 'min', 'max', 'sum', 'count', 'newest']
const WINDOWS = ['5 minute', '15 minute', '1 hour', '3 hour', '24 hour', '1 day', '3 day', '7 day']
const UNITS = ['hour', 'day']
const PRIORITIES = [
  { value: '', label: 'No task' },
  ...['stat', 'asap', 'urgent', 'routine'].map((value) => ({ value, label: `Task: ${value}` })),
]

/** Returns every column of numbers that a rule can read. */
function useColumns() {
  const tables = useQueryTables()
  return useMemo(() => {
    const isNumber = ({ type }: { type: string }) => type === 'number' || type === 'integer'
    const columns = [
      ...(tables?.merged ?? []).map(({ name }) => ({ merged: name, field: 'value' })),
      { timeseries: 'blood_pressure', field: 'systolic' },
      { timeseries: 'blood_pressure', field: 'diastolic' },
      ...(tables?.summaries ?? [])
        .filter(({ name }) => name !== 'profile')
        .flatMap(({ name, columns: all }) =>
          all.filter(isNumber).map((column) => ({ [name]: column.name })),
        ),
    ]
    return columns.map((arg) => ({
      value: JSON.stringify(arg),
      label: columnTitle({ func: 'mean', arg } as never),
    }))
  }, [tables])
}

function Field({
  name,
  label,
  draft,
  onChange,
  isNumber = true,
}: FieldsProps & {
  name: Exclude<keyof RuleDraft, 'userIds' | 'emitsEvents'>
  label: string
  isNumber?: boolean
}): ReactNode {
  return (
    <TextInput
      label={label}
      value={draft[name]}
      {...(isNumber && { type: 'number' })}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  )
}

function Choice({
  name,
  label,
  data,
  draft,
  onChange,
}: FieldsProps & {
  name: Exclude<keyof RuleDraft, 'userIds' | 'emitsEvents'>
  label: string
  data: readonly (string | { value: string; label: string })[]
}): ReactNode {
  return (
    <NativeSelect
      label={label}
      value={draft[name]}
      data={data}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  )
}

const windows = (names: readonly string[], chosen: string) =>
  [...new Set([...names, chosen])].map((value) => ({
    value,
    label: value.startsWith('1 ') ? value : `${value}s`,
  }))

/** The name of a rule, and the fields of its kind of condition. */
export function ConditionFields(props: FieldsProps): ReactNode {
  const { draft, onChange } = props
  const columns = useColumns()
  const { type } = draft
  const changeType = (next: RuleDraft['type']): void =>
    onChange({
      type: next,
      ...(next === 'goal' && { func: 'sum', window: '1 day' }),
      ...(next === 'no_data' && { forValue: '3', forUnit: 'day' }),
    })
  return (
    <>
      <div className="query-bar">
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <NativeSelect
          label="Condition"
          value={type}
          data={TYPES}
          onChange={({ currentTarget }) => changeType(currentTarget.value as RuleDraft['type'])}
        />
      </div>
      {type === 'no_data' ? (
        <Silence {...props} />
      ) : (
        <div className="query-bar rule-fields">
          <Choice {...props} name="column" label="Value" data={columns} />
          <Choice
            {...props}
            name="func"
            label="Function"
            data={type === 'goal' ? ['sum', 'count'] : FUNCTIONS}
          />
          {type === 'threshold' && (
            <Choice {...props} name="window" label="Over" data={windows(WINDOWS, draft.window)} />
          )}
          {type === 'goal' && (
            <Choice {...props} name="window" label="Of" data={['1 day', '1 week']} />
          )}
          {type !== 'goal' && <Choice {...props} name="comparison" label="Is" data={COMPARISONS} />}
          <Field {...props} name="threshold" label={type === 'trend' ? 'Change' : 'Number'} />
          <Field {...props} name="unit" label="Unit" isNumber={false} />
        </div>
      )}
      {type === 'trend' && <Periods {...props} />}
      {type === 'threshold' && (
        <div className="query-bar rule-fields">
          <Field {...props} name="forValue" label="Must hold for (empty: at once)" />
          <Choice {...props} name="forUnit" label="Unit of time" data={['minute', ...UNITS]} />
        </div>
      )}
    </>
  )
}

function Silence(props: FieldsProps): ReactNode {
  const tables = useQueryTables()
  const series = (tables?.series ?? []).map(({ name }) => name)
  return (
    <div className="query-bar rule-fields">
      <Choice
        {...props}
        name="resource"
        label="Series"
        data={[{ value: '', label: 'Any data' }, ...series]}
      />
      <Field {...props} name="forValue" label="Missing for" />
      <Choice {...props} name="forUnit" label="Unit of time" data={UNITS} />
      <Choice
        {...props}
        name="countedFrom"
        label="Counted from"
        data={[
          { value: 'measurement', label: 'The newest measurement' },
          { value: 'arrival', label: 'The newest arrival' },
        ]}
      />
    </div>
  )
}

function Periods(props: FieldsProps): ReactNode {
  return (
    <div className="query-bar rule-fields">
      <Choice
        {...props}
        name="changeIn"
        label="Change in"
        data={[
          { value: 'unit', label: 'The unit' },
          { value: 'percent', label: 'Per cent' },
        ]}
      />
      <Field {...props} name="recentDays" label="Last days" />
      <Field {...props} name="baselineDays" label="Days before them" />
      <Field {...props} name="minimumReadings" label="Least readings in each" />
    </div>
  )
}

/** What happens when the rule triggers, and for whom. */
export function OutcomeFields(props: FieldsProps): ReactNode {
  const { draft, onChange } = props
  const { userIds } = draft
  return (
    <>
      <div className="query-bar rule-fields">
        <Choice {...props} name="priority" label="Task" data={PRIORITIES} />
        {draft.priority !== '' && (
          <Field {...props} name="escalation" label="Escalated after (minutes)" />
        )}
        <Field {...props} name="coolDown" label="Cool-down (minutes)" />
      </div>
      <Checkbox
        label="Send the events rule.triggered and rule.resolved"
        checked={draft.emitsEvents}
        onChange={({ currentTarget }) => onChange({ emitsEvents: currentTarget.checked })}
      />
      <PersonPicker
        label="Only for (none chosen: everyone)"
        value={userIds.at(-1) ?? ''}
        onChange={(id) => onChange({ userIds: [...new Set([...userIds, id])] })}
      />
      {userIds.length > 0 && (
        <p className="rule-people">
          {userIds.length === 1 ? 'One person is chosen.' : `${userIds.length} people are chosen.`}
          <Button variant="subtle" size="compact-sm" onClick={() => onChange({ userIds: [] })}>
            Choose everyone
          </Button>
        </p>
      )}
    </>
  )
}
