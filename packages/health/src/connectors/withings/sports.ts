/**
 * Numbers of categories of workouts, with a name that the table of sports has. Those without one
 * are of no sport that it has.
 */
const LIST = `
1 walking, 2 running, 3 hiking, 4 skating, 5 bmx, 6 cycling, 7 swimming, 8 surfing, 9 kitesurfing,
10 windsurfing, 11 bodyboarding, 12 tennis, 13 table tennis, 14 squash, 15 badminton,
16 weightlifting, 17 , 18 elliptical, 19 pilates, 20 basketball, 21 soccer, 22 american football,
23 rugby, 24 volleyball, 25 water polo, 26 horse riding, 27 golf, 28 yoga, 29 dancing, 30 boxing,
31 fencing, 32 wrestling, 33 martial arts, 34 skiing, 35 snowboarding, 36 , 128 , 187 rowing,
188 zumba, 191 baseball, 192 handball, 193 hockey, 194 ice hockey, 195 climbing, 196 ice skating,
272 multi sport, 306 indoor walking, 307 indoor running, 308 indoor cycling,
455 stand up paddling, 456 padel, 457 fitness gaming, 490 beach volleyball,
491 stair climbing machine, 492 skateboarding, 493 parkour, 494 kayaking, 495 canoeing, 496 sailing,
497 fishing, 498 trail running, 499 snowshoeing, 500 paintball, 501 archery, 502 scuba diving,
503 baseball, 504 biathlon, 505 bocce, 506 petanque, 507 paragliding, 508 frisbee, 509 skydiving,
510 pickleball, 511 , 512 dodgeball, 513 ultimate, 514 , 515 wheelchair run pace,
516 wheelchair walk pace, 517 athletics, 518 track cycling, 519 , 520 shooting, 521 triathlon,
522 , 523 mountain biking, 524 gravel biking, 525 e biking, 526 e bike mountain,
527 handcycling, 528 velomobile, 529 backcountry skiing, 530 nordic skiing, 531 roller skiing,
532 racquetball, 534 hip hop, 535 muay thai, 536 taekwondo, 537 judo, 538 trampoline, 539 , 540 ,
541 , 542 walking, 543 walking, 544 breakdance, 545 chores, 546 crossfit, 547 spinning, 548 cricket,
549 flamenco, 550 hiit, 551 meditation, 552 stretching, 553 gardening, 554 cleaning, 555 , 556 spikeball,
557 lacrosse, 558 , 559 dog walking, 560 breathing, 561 , 562 walking, 563 , 564 bowling, 565 ,
566 nordic walking, 567 wrestling, 568 ,`

/** Numbers as the vendor lists them; the name is empty for those that are `other`. */
export const CATEGORIES: ReadonlyMap<number, string> = new Map(
  [...LIST.matchAll(/(\d+) ([a-z ]*),/g)].map(([, number, name = '']) => [Number(number), name]),
)

/** Returns the name of a sport; empty for a category that has none. */
export const sportOf = (category: unknown): string => CATEGORIES.get(category as number) ?? ''
