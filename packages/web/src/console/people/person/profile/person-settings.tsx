import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { isSameUnits, UnitFields } from '../../../components/unit-fields.tsx'
import { ZoneField } from '../../zone-field.tsx'
import type { Person } from '../person-queries.ts'

const settingsOf = (person: Person) => ({
  client_user_id: person.client_user_id,
  fallback_time_zone: person.fallback_time_zone?.id ?? '',
  fallback_birth_date: person.fallback_birth_date?.value ?? '',
  ingestion_start: person.ingestion_start ?? '',
  ingestion_end: person.ingestion_end ?? '',
})

type Settings = ReturnType<typeof settingsOf>

/** Settings of the person; only changed fields are stored. */
export function PersonSettings({ person }: { person: Person }): ReactNode {
  const { key, team } = useEnvironment()
  const queries = useQueryClient()
  const stored = settingsOf(person)
  const [settings, setSettings] = useState(stored)
  const names = Object.keys(stored) as (keyof Settings)[]
  const changed = names.filter((name) => settings[name] !== stored[name])
  const [units, setUnits] = useState(person.units ?? {})
  const hasOtherUnits = !isSameUnits(units, person.units)
  const saving = useMutation({
    mutationFn: () => {
      const changes = changed.map((name) => [name, settings[name] === '' ? null : settings[name]])
      const params = { path: { user_id: person.user_id } }
      return unwrapResponse(
        team.PATCH('/v2/user/{user_id}', {
          params,
          body: { ...Object.fromEntries(changes), ...(hasOtherUnits && { units }) },
        }),
      )
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'person', person.user_id] }),
  })
  const set = (name: keyof Settings, value: string): void => {
    saving.reset()
    setSettings((old) => ({ ...old, [name]: value }))
  }
  const dateField = (name: keyof Settings, label: string, description: string): ReactNode => (
    <TextInput
      type="date"
      label={label}
      description={description}
      value={settings[name]}
      onChange={({ currentTarget }) => set(name, currentTarget.value)}
    />
  )
  return (
    <Section
      title="Settings"
      description={
        <>
          Added <Instant at={person.created_on} />.
        </>
      }
    >
      <form
        className="person-settings"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <TextInput
          label="Client id"
          description="Your own id of the person. Do not use personal data."
          required
          maxLength={255}
          value={settings.client_user_id}
          onChange={({ currentTarget }) => set('client_user_id', currentTarget.value)}
        />
        <ZoneField
          value={settings.fallback_time_zone}
          onChange={(zone) => set('fallback_time_zone', zone)}
        />
        {dateField(
          'fallback_birth_date',
          'Birth date',
          'Used for heart rate zones, if the data contain none.',
        )}
        {dateField(
          'ingestion_start',
          'Store data from',
          'Older data are not stored. Empty: no limit.',
        )}
        {dateField(
          'ingestion_end',
          'Store data until',
          'Newer data are not stored. Empty: no limit.',
        )}
        <UnitFields
          units={units}
          none="As the team"
          onChange={(next) => {
            saving.reset()
            setUnits(next)
          }}
        />
        <div className="person-settings-end">
          <Allowed to="people:write">
            <Button
              type="submit"
              loading={saving.isPending}
              disabled={changed.length === 0 && !hasOtherUnits}
            >
              Save settings
            </Button>
          </Allowed>
          <span role="status" className="quiet">
            {saving.isSuccess && changed.length === 0 && !hasOtherUnits && 'Saved'}
          </span>
        </div>
      </form>
      {saving.error !== null && <Failure error={saving.error} />}
    </Section>
  )
}
