import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { baseUrl } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconPlayerPause, IconPlayerPlay } from '../../components/icons.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Section } from '../../components/page.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'

interface LiveEvent {
  id: string
  event_type: string
  created_at: string
  /** The message as text. */
  body: string
}

type Stage = 'connecting' | 'open' | 'closed'

/** Only this many are kept: the list of events has all of them. */
const MOST_SHOWN = 200

/** Follows the events of an environment from now on, or from where it was paused. */
function useLiveEvents({ path }: Environment, isFollowing: boolean) {
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  const [link, setLink] = useState<Stage>('connecting')
  const [position, setPosition] = useState<string>()
  const { org_id: org, team_id: team, env } = path
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it stands is read when it begins
  useEffect(() => {
    if (!isFollowing) return
    setLink('connecting')
    const after = position === undefined ? '' : `?after=${position}`
    const source = new EventSource(
      `${baseUrl}/v1/org/${org}/team/${team}/${env}/event_stream${after}`,
    )
    const keepPosition = ({ lastEventId }: MessageEvent): void => setPosition(lastEventId)
    source.addEventListener('ready', (event) => {
      setLink('open')
      keepPosition(event)
    })
    source.addEventListener('alive', keepPosition)
    source.addEventListener('message', (event) => {
      keepPosition(event)
      setEvents((known) => [JSON.parse(event.data), ...known].slice(0, MOST_SHOWN))
    })
    source.onerror = () =>
      setLink(source.readyState === EventSource.CLOSED ? 'closed' : 'connecting')
    return () => source.close()
  }, [org, team, env, isFollowing])
  return { events, link, clear: () => setEvents([]) }
}

const LINKS: Readonly<Record<Stage, { tone: Tone; text: string }>> = {
  connecting: { tone: 'warning', text: 'Connecting' },
  open: { tone: 'good', text: 'Following' },
  closed: { tone: 'bad', text: 'The server closed the stream. Reload the page.' },
}

/** Shows events as they are written, with their messages. */
export function LiveEvents(): ReactNode {
  const [isFollowing, setFollowing] = useState(true)
  const { events, link, clear } = useLiveEvents(useEnvironment(), isFollowing)
  const { tone, text } = isFollowing ? LINKS[link] : { tone: 'neutral' as const, text: 'Paused' }
  const Icon = isFollowing ? IconPlayerPause : IconPlayerPlay
  return (
    <Section
      title="Live"
      description="Events appear when they are written, whether or not an endpoint subscribes to them. Events of a pause appear when you resume."
      actions={
        <>
          <StatusBadge tone={tone}>{text}</StatusBadge>
          <Button
            variant="outline"
            leftSection={<Icon size={17} aria-hidden />}
            onClick={() => setFollowing(!isFollowing)}
          >
            {isFollowing ? 'Pause' : 'Resume'}
          </Button>
          <Button variant="subtle" disabled={events.length === 0} onClick={clear}>
            Clear list
          </Button>
        </>
      }
    >
      {events.length === 0 ? (
        <EmptyState title="No events yet.">
          Connect a person, upload data or change an order to see an event. Examples do not appear:
          they are only sent to their endpoint.
        </EmptyState>
      ) : (
        <ol className="webhooks-live" aria-live="polite">
          {events.map((event) => (
            <LiveEventItem key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Section>
  )
}

/** In the reader's zone. */
const TIME_OF_DAY = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

function LiveEventItem({ event }: { event: LiveEvent }): ReactNode {
  const { teamId, env } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <time dateTime={event.created_at}>{TIME_OF_DAY.format(new Date(event.created_at))}</time>
          <code>{event.event_type}</code>
        </summary>
        {isOpen && (
          <>
            <p>
              <Link to="/$team/$env/events/$event" params={{ team: teamId, env, event: event.id }}>
                See deliveries
              </Link>
            </p>
            <JsonView value={JSON.parse(event.body)} label="The message" />
          </>
        )}
      </details>
    </li>
  )
}
