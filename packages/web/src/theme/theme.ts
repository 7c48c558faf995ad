import { createTheme } from '@mantine/core'

/** What differs from Mantine's own; colors are variables of theme.css, so that a team's own can replace them. */
export const theme = createTheme({
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  cursorType: 'pointer',
  respectReducedMotion: true,
})
