import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { IconArrowLeft, IconSend } from '../../components/icons.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Section } from '../../components/page.tsx'
import type { EventType } from '../webhook-queries.ts'
import { ExampleDialog } from './example-dialog.tsx'

/** Shows the meaning of an event type, an example of its message, and the schema of its data. */
export function EventTypeDetail({ type }: { type: EventType }): ReactNode {
  const { teamId, env } = useEnvironment()
  const [isSending, setSending] = useState(false)
  return (
    <Section
      title={type.name}
      description={type.meaning}
      actions={
        <Button
          variant="outline"
          leftSection={<IconSend size={17} aria-hidden />}
          onClick={() => setSending(true)}
        >
          Send example
        </Button>
      }
    >
      <p className="webhooks-back">
        <Link to="." search={{} as never}>
          <IconArrowLeft size={16} aria-hidden /> All event types
        </Link>
      </p>
      <p className="webhooks-plain">
        <Link
          to="/$team/$env/events"
          params={{ team: teamId, env }}
          search={{ type: type.name } as never}
        >
          Events of this type
        </Link>
      </p>
      <h3>Example</h3>
      <JsonView value={messageOf(type)} label="An example of the message" />
      <h3>Schema of data</h3>
      <JsonView value={type.schema} label="JSON Schema of data" />
      <ExampleDialog eventType={type.name} isOpen={isSending} onClose={() => setSending(false)} />
    </Section>
  )
}

/** Returns the whole message around the example of its data. */
function messageOf({ name, is_about_user: isAboutUser, example }: EventType) {
  return {
    event_type: name,
    data: example,
    ...(isAboutUser && {
      user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
      client_user_id: 'example',
    }),
    team_id: '7c0f6a52-1d6e-4a7b-9a39-5a3f0f6f2f0d',
  }
}
