import { NumberInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { components } from '../../api/openapi.generated.d.ts'
import { useTeamSetting } from '../../api/team-settings.ts'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { TASK_KIND, type Task } from '../../review/tasks/task-words.ts'
import { SaveButton } from './save-button.tsx'

type Settings = components['schemas']['TeamEnvironment']
type Minutes = Partial<Record<Task['kind'], number | null>>

const KINDS = Object.keys(TASK_KIND) as Task['kind'][]

const minutesOf = (settings: Settings): Minutes => ({
  ...settings.task_escalation_minutes,
  critical_result: settings.critical_result_escalation_minutes,
})

/** The times after which tasks without an acknowledgement are escalated. */
export function TaskEscalation({ settings }: { settings: Settings }): ReactNode {
  const kept = minutesOf(settings)
  const [minutes, setMinutes] = useState(kept)
  const saving = useTeamSetting()
  const isChanged = KINDS.some((kind) => (minutes[kind] ?? null) !== (kept[kind] ?? null))
  return (
    <Section
      title="Escalation of tasks"
      description="An event is sent when a task was not acknowledged in this time. Empty for never."
    >
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          const { critical_result: critical = null, ...others } = minutes
          saving.mutate({
            critical_result_escalation_minutes: critical,
            task_escalation_minutes: others,
          })
        }}
      >
        {KINDS.map((kind) => (
          <NumberInput
            key={kind}
            label={`${TASK_KIND[kind].title}, minutes`}
            min={1}
            max={10_080}
            allowDecimal={false}
            value={minutes[kind] ?? ''}
            onChange={(value) =>
              setMinutes({ ...minutes, [kind]: value === '' ? null : Number(value) })
            }
          />
        ))}
        <SaveButton isChanged={isChanged} isSaving={saving.isPending} />
        {saving.error !== null && <Failure error={saving.error} />}
      </form>
    </Section>
  )
}
