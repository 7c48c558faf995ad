const EASTERN = 'America/New_York'
const CENTRAL = 'America/Chicago'
const MOUNTAIN = 'America/Denver'
const PACIFIC = 'America/Los_Angeles'

/**
 * Time zones of each state and territory, and of the freely associated states, whose mail is
 * domestic. Where there are several, the position decides, and the first one is used when the
 * position is outside all of them: the look-up is coarse at borders, where it may return a zone of
 * Canada or Mexico, which changes its clocks on other days.
 */
export const STATE_TIME_ZONES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  AK: [
    'America/Anchorage',
    'America/Adak',
    'America/Juneau',
    'America/Metlakatla',
    'America/Nome',
    'America/Sitka',
    'America/Yakutat',
  ],
  AL: [CENTRAL, EASTERN],
  AR: [CENTRAL],
  AS: ['Pacific/Pago_Pago'],
  AZ: ['America/Phoenix', MOUNTAIN],
  CA: [PACIFIC],
  CO: [MOUNTAIN],
  CT: [EASTERN],
  DC: [EASTERN],
  DE: [EASTERN],
  FL: [EASTERN, CENTRAL],
  FM: ['Pacific/Chuuk', 'Pacific/Kosrae', 'Pacific/Pohnpei'],
  GA: [EASTERN],
  GU: ['Pacific/Guam'],
  HI: ['Pacific/Honolulu', 'Pacific/Wake'],
  IA: [CENTRAL],
  ID: ['America/Boise', PACIFIC, MOUNTAIN],
  IL: [CENTRAL],
  IN: [
    'America/Indiana/Indianapolis',
    'America/Indiana/Knox',
    'America/Indiana/Marengo',
    'America/Indiana/Petersburg',
    'America/Indiana/Tell_City',
    'America/Indiana/Vevay',
    'America/Indiana/Vincennes',
    'America/Indiana/Winamac',
    'America/Kentucky/Louisville',
    CENTRAL,
    EASTERN,
  ],
  KS: [CENTRAL, MOUNTAIN],
  KY: [EASTERN, CENTRAL, 'America/Kentucky/Louisville', 'America/Kentucky/Monticello'],
  LA: [CENTRAL],
  MA: [EASTERN],
  MD: [EASTERN],
  ME: [EASTERN],
  MH: ['Pacific/Majuro', 'Pacific/Kwajalein'],
  MI: ['America/Detroit', 'America/Menominee'],
  MN: [CENTRAL],
  MO: [CENTRAL],
  MP: ['Pacific/Saipan'],
  MS: [CENTRAL],
  MT: [MOUNTAIN],
  NC: [EASTERN],
  ND: [
    CENTRAL,
    MOUNTAIN,
    'America/North_Dakota/Beulah',
    'America/North_Dakota/Center',
    'America/North_Dakota/New_Salem',
  ],
  NE: [CENTRAL, MOUNTAIN],
  NH: [EASTERN],
  NJ: [EASTERN],
  NM: [MOUNTAIN],
  NV: [PACIFIC],
  NY: [EASTERN],
  OH: [EASTERN],
  OK: [CENTRAL],
  OR: [PACIFIC, 'America/Boise'],
  PA: [EASTERN],
  PR: ['America/Puerto_Rico'],
  PW: ['Pacific/Palau'],
  RI: [EASTERN],
  SC: [EASTERN],
  SD: [CENTRAL, MOUNTAIN],
  TN: [CENTRAL, EASTERN],
  TX: [CENTRAL, MOUNTAIN],
  UT: [MOUNTAIN],
  VA: [EASTERN],
  VI: ['America/St_Thomas'],
  VT: [EASTERN],
  WA: [PACIFIC],
  WI: [CENTRAL],
  WV: [EASTERN],
  WY: [MOUNTAIN],
}

/**
 * Prefixes of ZIP codes for which the coarse look-up is wrong: Williston, and the north of Idaho.
 */
export const PREFIX_TIME_ZONES: Readonly<Record<string, string>> = {
  '588': CENTRAL,
  '838': PACIFIC,
}
