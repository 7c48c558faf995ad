import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Failure } from '../../components/failure.tsx'
import { endOfId, Id } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { Waiting } from '../../components/waiting.tsx'

type LabMessage = components['schemas']['LabMessage']

/** Shows the facts of a message without its content about a person. */
export function MessageDetails({ message }: { message: LabMessage }): ReactNode {
  const { path, key } = useEnvironment()
  const { data, error } = useQuery({
    queryKey: [...key, 'lab message', message.id],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}', {
          params: { path: { ...path, message_id: message.id } },
          signal,
        }),
      ),
  })
  return (
    <>
      <p>{message.message}</p>
      <dl className="matching-facts">
        <Fact title="Received">
          <Instant at={message.received_at} />
        </Fact>
        <Fact title="From">{message.gateway}</Fact>
        <Fact title="Code">
          <code>{message.problem ?? 'none'}</code>
        </Fact>
        <Fact title="Failed attempts">{message.failed_attempts}</Fact>
        <Fact title="Type">{message.content_type}</Fact>
        <Fact title="Id">
          <Id value={message.id} of="the message" isShort />
        </Fact>
        {data !== undefined && <Fact title="Size">{data.size_bytes} bytes</Fact>}
        {data !== undefined && (
          <Fact title="Content">{data.updates?.join(', ') ?? 'not readable'}</Fact>
        )}
        {data?.names?.map(({ lab, order_id: order, sample_id: sample }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else of their own
          <Fact key={index} title="About">
            {[lab, order && `order ${endOfId(order)}`, sample && `sample ${sample}`]
              .filter(Boolean)
              .join(', ')}
          </Fact>
        ))}
      </dl>
      {data === undefined && error === null && <Waiting label="Loading the message" lines={2} />}
      {error !== null && <Failure error={error} />}
    </>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
