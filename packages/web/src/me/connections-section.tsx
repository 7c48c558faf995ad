import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from './language.ts'
import type { Connection } from './me-client.ts'
import { useFormats, useMe } from './me-context.ts'
import { ConfirmButton, Loading, Problem, SectionTitle } from './parts.tsx'
import { useChange, useLoad } from './use-load.ts'

/** The accounts that bring data; connecting happens on the link page. */
export function ConnectionsSection(): ReactNode {
  const { t } = useTexts()
  const { client, access } = useMe()
  const { data, error, reload } = useLoad(client.listConnections)
  const connect = useChange(async (provider: string | null) => {
    const { link_web_url: url } = await client.connect(provider)
    location.assign(url)
  })
  return (
    <>
      <SectionTitle>{t('connections_title')}</SectionTitle>
      <Problem error={error} onRetry={reload} />
      <Problem error={connect.error} />
      {data === undefined && error === undefined && <Loading />}
      {data?.providers.length === 0 && <p>{t('connections_none')}</p>}
      {data !== undefined && (
        <ul className="me-list">
          {data.providers.map((one) => (
            <ConnectionPart
              key={one.slug}
              of={one}
              onConnect={() => connect.run(one.slug)}
              onEnd={reload}
            />
          ))}
        </ul>
      )}
      <div className="me-actions">
        <Button loading={connect.isRunning} onClick={() => connect.run(null)}>
          {t('connections_add')}
        </Button>
      </div>
      <p className="me-quiet">{t('sharing_team', { team: access.team.name })}</p>
    </>
  )
}

interface ConnectionProps {
  of: Connection
  onConnect: () => void
  onEnd: () => void
}

function ConnectionPart({ of: one, onConnect, onEnd }: ConnectionProps): ReactNode {
  const { t } = useTexts()
  const { client, access } = useMe()
  const formats = useFormats()
  const end = useChange(async () => {
    await client.disconnect(one.slug)
    onEnd()
  })
  const words =
    one.status === 'error'
      ? t('connection_error')
      : one.status === 'paused'
        ? t('connection_paused', { team: access.team.name })
        : t('connection_connected')
  return (
    <li className="me-card me-connection">
      <img src={one.logo} alt="" width={44} height={44} referrerPolicy="no-referrer" />
      <div>
        <h2>{one.name}</h2>
        <p className={one.status === 'error' ? 'me-outside' : undefined}>{words}</p>
        <p className="me-quiet">{t('connection_since', { date: formats.date(one.created_on) })}</p>
        <Problem error={end.error} />
        <div className="me-actions">
          {one.status === 'error' && <Button onClick={onConnect}>{t('connection_again')}</Button>}
          <ConfirmButton
            label={t('connection_end')}
            question={t('connection_end_sure', { name: one.name })}
            isRunning={end.isRunning}
            onConfirm={end.run}
          />
        </div>
      </div>
    </li>
  )
}
