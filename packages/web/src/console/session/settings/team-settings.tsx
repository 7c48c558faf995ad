import { Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { usePermission } from '../../api/session.ts'
import { teamSettingsQuery, useTeamSetting } from '../../api/team-settings.ts'
import { teamsQuery } from '../../api/teams.ts'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { LinkOrigins, LinkRedirects } from './link-addresses.tsx'
import { SaveButton } from './save-button.tsx'
import { SWITCHES, type SwitchRow } from './switches.registry.ts'
import { TaskEscalation } from './task-escalation.tsx'
import { TeamUnits } from './team-units.tsx'

type Settings = components['schemas']['TeamEnvironment']

/** The settings of the environment. */
export function TeamSettings(): ReactNode {
  const environment = useEnvironment()
  const { data, error, refetch } = useQuery(teamSettingsQuery(environment))
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />
  if (data === undefined) return <Waiting label="Loading the settings" lines={8} />
  return (
    <>
      <TeamName />
      {data !== null && (
        <>
          <Brand settings={data} />
          <LinkRedirects kept={data.link_redirect_urls} />
          <LinkOrigins kept={data.link_origins} />
          <TaskEscalation settings={data} />
          <TeamUnits kept={data.units} />
          {SWITCHES.map(({ title, rows }) => (
            <Section key={title} title={title}>
              <ul className="settings-switches">
                {rows.map((row) => (
                  <SettingSwitch key={row.name} row={row} isOn={data[row.name] === true} />
                ))}
              </ul>
            </Section>
          ))}
        </>
      )}
    </>
  )
}

function SettingSwitch({ row, isOn }: { row: SwitchRow; isOn: boolean }): ReactNode {
  const change = useTeamSetting()
  // Shows the new value while it is being saved.
  const wanted = change.isPending ? change.variables[row.name] === true : isOn
  const mayChange = usePermission('settings:write')
  return (
    <li>
      <Switch
        label={row.label}
        description={row.description}
        checked={wanted}
        disabled={!mayChange}
        onChange={({ currentTarget }) => change.mutate({ [row.name]: currentTarget.checked })}
      />
      {change.error !== null && <Failure error={change.error} />}
    </li>
  )
}

/** The name of the team, which both environments share. */
function TeamName(): ReactNode {
  const { orgId, teamId } = useEnvironment()
  const { data: teams } = useSuspenseQuery(teamsQuery(orgId))
  const kept = teams.find(({ id }) => id === teamId)?.name ?? ''
  const [name, setName] = useState(kept)
  const queryClient = useQueryClient()
  const renaming = useMutation({
    mutationFn: () => {
      const params = { path: { org_id: orgId, team_id: teamId } }
      const body = { name: name.trim() }
      return unwrapResponse(management.PATCH('/v1/org/{org_id}/team/{team_id}', { params, body }))
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: teamsQuery(orgId).queryKey }),
  })
  return (
    <Section
      title="Team"
      description={
        <>
          Id <Id value={teamId} of="the team" />
        </>
      }
    >
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          renaming.mutate()
        }}
      >
        <TextInput
          label="Name"
          required
          maxLength={80}
          value={name}
          error={invalidFieldsOf(renaming.error).name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <SaveButton isChanged={name.trim() !== kept} isSaving={renaming.isPending} />
        {renaming.error !== null && <Failure error={renaming.error} />}
      </form>
    </Section>
  )
}

const BRAND_FIELDS = [
  {
    name: 'company_name',
    label: 'Company',
    description: 'Shown to patients and on the link page.',
  },
  { name: 'company_website', label: 'Website' },
  { name: 'support_email', label: 'Support e-mail' },
  { name: 'support_contact', label: 'Support telephone' },
  { name: 'company_address', label: 'Postal address' },
  {
    name: 'brand_color',
    label: 'Color',
    description: 'Color of buttons on the link page, such as #1a6b5b.',
  },
] as const

const OTHER_FIELDS = [
  {
    name: 'logo_url',
    label: 'Logo address',
    description: 'An https address. A company with a name must have a logo.',
  },
  {
    name: 'critical_result_notification_email',
    label: 'E-mail for critical results',
    description: 'Address to which laboratories send results that cannot wait.',
  },
] as const

type Texts = Record<string, string>

function textsOf({ brand_information: brand, ...settings }: Settings): Texts {
  const ofBrand = BRAND_FIELDS.map(({ name }) => [name, brand?.[name] ?? ''])
  const others = OTHER_FIELDS.map(({ name }) => [name, settings[name] ?? ''])
  return Object.fromEntries([...ofBrand, ...others])
}

/** An empty field is stored as null. */
function settingsOf(texts: Texts): Partial<Settings> {
  const textOf = (name: string): string | null => texts[name]?.trim() || null
  const brand = Object.fromEntries(BRAND_FIELDS.map(({ name }) => [name, textOf(name)]))
  const others = Object.fromEntries(OTHER_FIELDS.map(({ name }) => [name, textOf(name)]))
  const hasBrand = Object.values(brand).some((value) => value !== null)
  return {
    ...others,
    brand_information: hasBrand ? (brand as Settings['brand_information']) : null,
  }
}

/** The brand of the team, and its contact for laboratories. */
function Brand({ settings }: { settings: Settings }): ReactNode {
  const { env } = useEnvironment()
  const kept = textsOf(settings)
  const [texts, setTexts] = useState(kept)
  const saving = useTeamSetting()
  const fields = [...BRAND_FIELDS, ...OTHER_FIELDS]
  const isChanged = fields.some(({ name }) => texts[name]?.trim() !== kept[name])
  const problems = invalidFieldsOf(saving.error)
  const problemOf = (name: string): string | undefined =>
    problems[`${env}.${name}`] ?? problems[`${env}.brand_information.${name}`]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate(settingsOf(texts))
  }
  return (
    <Section title="Brand" description={`For the ${env}.`}>
      <form className="settings-form" onSubmit={submit}>
        {fields.map(({ name, label, ...field }) => (
          <TextInput
            key={name}
            label={label}
            description={'description' in field ? field.description : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={texts[name] ?? ''}
            error={problemOf(name)}
            onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
          />
        ))}
        <SaveButton isChanged={isChanged} isSaving={saving.isPending} />
        {saving.error !== null && <Failure error={saving.error} />}
      </form>
    </Section>
  )
}
