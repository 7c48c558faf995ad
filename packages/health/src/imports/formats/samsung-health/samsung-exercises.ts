/** Names of exercises by the numbers of the vendor; an exercise that a person named is 0. */
const NAMES = new Map(
  [
    '1001 walking, 1002 running, 3001 golf, 4003 basketball, 4004 soccer, 5001 volleyball',
    '6001 squash, 6002 tennis, 6003 badminton, 6004 table_tennis, 7002 boxing',
    '7003 martial_arts, 8002 dancing, 9001 pilates, 9002 yoga, 10001 stretching',
    '10007 circuit_training, 11001 inline_skating, 11007 cycling, 12001 aerobics, 13001 hiking',
    '13002 rock_climbing, 13004 mountain_biking, 14001 swimming, 14007 kayaking',
    '15003 stationary_biking, 15004 rowing_machine, 15005 treadmill, 15006 elliptical',
    '16001 cross_country_skiing, 16002 skiing, 16004 ice_skating, 16007 snowboarding',
  ]
    .flatMap((line) => line.split(', '))
    .map((entry) => {
      const [code, name = ''] = entry.split(' ')
      return [Number(code), name] as const
    }),
)

/** Returns the name of an exercise; empty for an unknown one. */
export const exerciseOf = (code: number | null): string => NAMES.get(code ?? 0) ?? ''
