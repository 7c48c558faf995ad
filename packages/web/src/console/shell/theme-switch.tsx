import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconDeviceDesktop, IconMoon, IconSun } from '../components/icons.tsx'

/** In the order in which a press changes them. */
const SCHEMES = {
  auto: { next: 'light', title: 'Colors of the system', Icon: IconDeviceDesktop },
  light: { next: 'dark', title: 'Light colors', Icon: IconSun },
  dark: { next: 'auto', title: 'Dark colors', Icon: IconMoon },
} as const

export function ThemeSwitch(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { next, title, Icon } = SCHEMES[colorScheme]
  return (
    <ActionIcon
      variant="subtle"
      size={36}
      aria-label={`${title}. Change to: ${SCHEMES[next].title.toLowerCase()}`}
      title={title}
      onClick={() => setColorScheme(next)}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}
