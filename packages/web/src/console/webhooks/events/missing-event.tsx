import type { ReactNode } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { EventExplanation } from '../../components/event-explanation.tsx'
import { Section } from '../../components/page.tsx'
import { PersonPicker } from '../../components/person-picker.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { EventTypeSelect } from './event-filters.tsx'

/** Asks the server what stands in the way of an event about a person, or of its delivery. */
export function MissingEvent(): ReactNode {
  const [{ user, type }, change] = useViewState({ user: '', type: '' })
  const isAsked = user !== '' && type !== '' && !type.endsWith('*')
  return (
    <Section
      title="Why was there no event?"
      description="Name the person and the event that you expected. Salus looks at the endpoints, the connections, the data that came and the orders, and says what stands in the way."
    >
      <div className="webhooks-question">
        <PersonPicker label="Person" value={user} onChange={(next) => change({ user: next })} />
        <EventTypeSelect
          value={type}
          any="Choose one"
          onChange={(next) => change({ type: next })}
        />
      </div>
      {isAsked ? (
        <EventExplanation userId={user} eventType={type} />
      ) : (
        <EmptyState title="Which event did you expect?">
          Choose a person and the type of the event.
        </EmptyState>
      )}
    </Section>
  )
}
