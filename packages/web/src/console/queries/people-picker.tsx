import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IconPlus } from '../components/icons.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { RemoveButton } from './builder/query-builder.tsx'

/** A chart with more lines is not readable. */
const MOST_PEOPLE = 5

interface PeoplePickerProps {
  ids: readonly string[]
  onChange: (ids: string[]) => void
}

/** Chooses a person, and others to compare with. */
export function PeoplePicker({ ids, onChange }: PeoplePickerProps): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const shown = ids.length === 0 || isAdding ? [...ids, ''] : ids
  const choose = (at: number, id: string): void => {
    setAdding(false)
    onChange([...new Set(shown.map((old, index) => (index === at ? id : old)))].filter(Boolean))
  }
  return (
    <div className="query-bar">
      {shown.map((id, at) => (
        <div key={id} className="query-person">
          <PersonPicker
            label={at === 0 ? 'Person' : `Person ${at + 1}`}
            value={id}
            onChange={(next) => choose(at, next)}
          />
          {at > 0 && (
            <RemoveButton
              label={`Remove person ${at + 1}`}
              onPress={() => {
                setAdding(false)
                onChange(ids.filter((one) => one !== id))
              }}
            />
          )}
        </div>
      ))}
      {ids.length > 0 && ids.length < MOST_PEOPLE && !isAdding && (
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Compare with a person
        </Button>
      )}
    </div>
  )
}
