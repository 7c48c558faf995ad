import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { EventExplanation } from '../../../components/event-explanation.tsx'
import { Section } from '../../../components/page.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { eventTypesQuery } from '../laboratory/lab-queries.ts'

/**
 * Explains why an event about the person was not written or delivered. The type is in the address.
 */
export function MissingEvent({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const [{ missing }, change] = useViewState({ missing: '' })
  const [text, setText] = useState(missing)
  const [isAsked, setAsked] = useState(false)
  const listId = useId()
  const types = useQuery({ ...eventTypesQuery(environment), enabled: isAsked })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    change({ missing: text.trim() })
  }
  return (
    <Section
      id="missing-event"
      title="Missing event"
      description="Choose the event that you expected about this person."
    >
      <form className="missing-event-form" onSubmit={ask}>
        <TextInput
          aria-label="Type of the event"
          placeholder="daily.data.heartrate.created"
          list={listId}
          value={text}
          onFocus={() => setAsked(true)}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <datalist id={listId}>
          {types.data?.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit" disabled={text.trim() === ''}>
          Explain
        </Button>
      </form>
      {missing !== '' && <EventExplanation userId={userId} eventType={missing} />}
    </Section>
  )
}
