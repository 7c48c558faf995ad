import { type ReactNode, useState } from 'react'
import { useTeamSetting } from '../../api/team-settings.ts'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { isSameUnits, UnitFields, type UnitPreferences } from '../../components/unit-fields.tsx'
import { SaveButton } from './save-button.tsx'

/** The units in which the console shows values of people. */
export function TeamUnits({ kept }: { kept: UnitPreferences | null }): ReactNode {
  const [units, setUnits] = useState(kept ?? {})
  const saving = useTeamSetting()
  return (
    <Section
      title="Units"
      description="Units in which pages show values, unless the profile of a person chooses others. The API and laboratory results keep theirs."
    >
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate({ units })
        }}
      >
        <UnitFields units={units} none="Metric" onChange={setUnits} />
        <SaveButton isChanged={!isSameUnits(units, kept)} isSaving={saving.isPending} />
        {saving.error !== null && <Failure error={saving.error} />}
      </form>
    </Section>
  )
}
