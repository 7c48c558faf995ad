import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import {
  IconActivity,
  IconDeviceHeartMonitor,
  IconDeviceMobile,
  IconDeviceWatch,
  IconScale,
} from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import { providersQuery } from '../person-queries.ts'
import { sourceTypeTitle } from './source-words.ts'

const ICONS: Record<string, typeof IconActivity> = {
  phone: IconDeviceMobile,
  watch: IconDeviceWatch,
  scale: IconScale,
  cuff: IconDeviceHeartMonitor,
}

/** Lists the devices of the data. */
export function Devices({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { key, team } = environment
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const { data: devices } = useSuspenseQuery({
    queryKey: [...key, 'person', userId, 'devices'],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId } }
      return unwrapResponse(team.GET('/v2/user/{user_id}/device', { params, signal }))
    },
  })
  return (
    <Section title="Devices" description="Devices that the data name.">
      {devices.length === 0 ? (
        <p className="quiet devices-none">No devices yet.</p>
      ) : (
        <ul className="devices">
          {devices.map((device) => {
            const Icon = ICONS[device.source_type] ?? IconActivity
            const kind = sourceTypeTitle(device.source_type)
            const model = modelOf(device)
            return (
              <li key={device.id}>
                <Icon size={22} stroke={1.5} aria-hidden />
                <span>
                  <strong>{model || kind || 'Unnamed'}</strong>
                  <span className="quiet">
                    {[
                      model === '' ? '' : kind,
                      providers.get(device.provider)?.name ?? device.provider,
                      device.device_version && `version ${device.device_version}`,
                      device.app_id,
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

/** Returns maker and model; some models begin with their maker. */
function modelOf({
  device_manufacturer: maker,
  device_model: model,
}: {
  device_manufacturer: string | null
  device_model: string | null
}): string {
  if (maker === null || model?.startsWith(maker)) return model ?? ''
  return [maker, model].filter(Boolean).join(' ')
}
