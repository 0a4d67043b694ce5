/** Words and phrases that mean the same to a buyer of furniture; one set a line. */
const same = `
sofa, couch, settee, davenport, सोफा
loveseat, love seat, 2 seater sofa, two seater couch
l shape sofa, corner sofa, corner couch, sectional, sectional sofa, sectional couch, chaise sofa, l shape couch
sofa bed, sofa cum bed, sofacumbed, sleeper sofa, sleeper couch, futon, pull out sofa, convertible sofa, pull out bed, diwan, deewan, dewan, divan, diwan cum bed, सोफा कम बेड
snuggler, cuddle chair, cuddle sofa
chaise, chaise longue, chaise lounge, daybed, day bed
recliner, reclining chair, recliner chair, recliner sofa
nightstand, night stand, nite stand, nitestand, bedside table, night table, bedside cabinet, bedside unit, bedside drawer, bed side table
wardrobe, almirah, almari, armoire, closet, cupboard, kapat, अलमारी
coffee table, centre table, cocktail table, tea table, teapoy, tepoy
side table, end table, occasional table, peg table, corner table
nesting table, nested table, nest of tables, stacking table
console table, hallway table, entry table
tv unit, tv stand, tv cabinet, tv table, tv console, tv bench, tv rack, media unit, media console, media cabinet, entertainment unit, entertainment centre, टीवी यूनिट
bookshelf, bookcase, book rack, book stand, book cabinet, book storage, बुकशेल्फ
etagere, open shelf, display shelf, display unit, display rack, shelf unit, room divider
sideboard, buffet, credenza, crockery unit, crockery cabinet, cutlery cabinet, server, dining storage
chest of drawers, drawer chest, dresser, tallboy, bureau, drawer unit, cabinet of drawers, clothes drawers, दराज
desk, study table, writing table, office table, computer table, laptop table, work table, workstation, study desk, office desk, computer desk, work desk, डेस्क
standing desk, sit stand desk, height adjustable desk, height adjustable table, adjustable desk, stand up desk, electric desk, standing table
chair, kursi, kursee, khursi, कुर्सी
table, mez, मेज, टेबल
task chair, office chair, desk chair, study chair, computer chair, work chair, ergonomic chair, revolving chair, mesh chair
armchair, accent chair, easy chair, occasional chair, club chair, living room chair
lounge chair, lounger, lounging chair, relaxing chair
wing chair, wingback chair, wing back chair, wingback, high back armchair
tub chair, barrel chair, bucket chair
rocking chair, rocker
bar stool, bar chair, counter stool, counter chair, kitchen stool, high stool, breakfast stool, bar height chair
pouf, ottoman, footstool, footrest, foot rest, hassock, puffy, mooda, muddha
bench, settle, banquette, बेंच
hallway bench, entryway bench, entry bench, shoe bench, foyer bench, bench with cushion
bed bench, end of bed bench, foot of bed bench, bedroom bench
dining table, dinner table, kitchen table, dinette, breakfast table, डाइनिंग टेबल, खाने की मेज
dining chair, dinner chair, kitchen chair
carver chair, head chair, dining armchair, dining chair with arms
extending table, extendable table, expandable table, extension table, extending dining table, extendable dining table, expandable dining table
bed, cot, palang, khaat, khat, khatiya, charpai, charpoy, bedstead, पलंग, बिस्तर, खाट, चारपाई
poster bed, four poster bed, four poster, canopy bed
upholstered bed, padded bed, cushioned bed, headboard bed
platform bed, low bed, floor bed, japanese bed
storage bed, hydraulic bed, box bed, bed with storage, bed with box
queen, double
rug, carpet, dhurrie, area rug, floor covering, floor mat, mat, chatai, galicha, kaleen, कालीन, गलीचा, दरी, चटाई
mirror, looking glass, sheesha, aaina, aina, darpan, शीशा, आईना, दर्पण
full length mirror, floor mirror, standing mirror, dressing mirror, tall mirror, long mirror, body mirror, leaning mirror
cushion, gaddi, takiya, takia, masnad, throw pillow, pillow, scatter cushion, cushion cover, sofa pillow, गद्दी, तकिया
lamp, light, lighting, batti, बत्ती, लैंप
floor lamp, standing lamp, standard lamp, tall lamp, floor light, standing light, uplighter
tripod lamp, three legged lamp
pendant, pendant light, pendant lamp, hanging light, hanging lamp, ceiling light, ceiling lamp, chandelier, jhoomar, jhumar, suspension lamp, drop light
table lamp, desk lamp, bedside lamp, reading lamp, study lamp, night lamp, table light, bedside light
shoe cabinet, shoe rack, shoe storage, shoe cupboard, shoe stand, shoe shelf, shoe unit, footwear rack, joota rack, jutta rack, जूता रैक
vegan leather, faux leather, leatherette, rexine, pu leather, artificial leather, synthetic leather, imitation leather
boucle, sherpa, teddy
cane, rattan, wicker, woven cane
sheesham, rosewood, indian rosewood
stoneware, ceramic, pottery
terracotta, clay, earthenware
velvet, velour, मखमल
fabric, cloth, textile, कपड़ा
handmade, hand made, handcrafted, hand crafted, artisan, artisanal
hand woven, handwoven, handloom
hand knotted, handknotted
block print, block printed, hand printed
mid century, midcentury, mid century modern, retro
scandinavian, scandi, nordic, minimalist, minimal
boho, bohemian
art deco, deco
colonial, traditional, antique, heritage, classic, vintage
modern, contemporary
balcony, outdoor, patio, garden, terrace, veranda, verandah
entryway, hallway, foyer, entrance, corridor, entry
study, home office, office, work from home, wfh
living room, drawing room, sitting room, family room, hall
small space, compact, space saving, small, mini, tiny, studio, small room, small apartment, small flat
value, budget, affordable, cheap, cheapest, inexpensive, economical, low cost, sasta, sasti
premium, luxury, luxurious, high end
bestseller, best seller, bestselling, best selling
fluted, ribbed, reeded
tufted, buttoned, button back, button tufted, chesterfield
swivel, revolving, rotating
round, circular
extendable, extending, expandable
upholstered, padded, cushioned
pet friendly, dog friendly, cat friendly, pet proof
washable, removable cover, removable covers, machine washable
stain repellent, stain resistant, stain proof, spill proof, waterproof
ergonomic, lumbar support, back support, back pain, posture
striped, stripe, stripes
wood, solid wood, hardwood, timber, लकड़ी
king, super king
red, lal, laal, लाल
green, hara, hari, हरा
blue, neela, neeli, नीला
yellow, peela, peeli, पीला
pink, gulabi, गुलाबी
black, kala, kaala, kali, काला
white, safed, safeda, सफेद
brown, bhura, bhoora, भूरा
golden, sunehra
swing, jhula, jhoola, झूला
quilt, razai, rajai, comforter, duvet, blanket, throw, रजाई
mattress, gadda, गद्दा
stool, peedha, pidha, स्टूल, पीढ़ा
lantern, lalten
tripod table, tipai, teepai
teak, sagwan, sagaun
`;

/**
 * A general word or phrase, and what it comprises. A search for the general word finds the others, but not the reverse.
 */
const broader = `
wood: teak, sheesham, mango, ash, walnut, oak, pine, acacia, rosewood, mahogany, sal, beech, bamboo, plywood, engineered wood
metal: brass, steel, iron, aluminium, nickel, copper
stone: marble, granite, terracotta
fabric: linen, cotton, velvet, boucle, wool, jute, chenille
natural fibre: jute, cane, bamboo, cotton, wool
chair: armchair, stool, recliner
seating: chair, sofa, bench, stool, pouf
storage: sideboard, wardrobe, chest of drawers, shoe cabinet, bookshelf, tv unit
cabinet: sideboard, shoe cabinet, tv unit
table: desk
stool: pouf
shelf: bookshelf, etagere
rack: bookshelf, shoe cabinet
office: desk, task chair
recliner: armchair, lounge chair, rocking chair
swing: rocking chair
bean bag: pouf
gaming chair: task chair
bunk bed: bed
mattress: bed
diwan: bed, sofa
chowki: coffee table, side table, pouf
lantern: pendant, lamp
lamp shade: pendant
lampshade: pendant
tripod table: side table, coffee table
arm: armchair, carver chair, lounge chair
stain repellent: performance
showcase: sideboard, etagere, bookshelf
dressing table: mirror, chest of drawers
vanity: mirror, chest of drawers
bar cabinet: sideboard
bar unit: sideboard
console: sideboard, tv unit, side table
console table: sideboard, side table
headboard: bed
curio: sideboard, etagere
settle: bench
throw: cushion
bolster: cushion
chandelier: pendant
light: pendant
lamp: pendant
cream: ivory, white, beige
off white: ivory, white
ivory: white
navy: indigo, midnight, ink, blue
navy blue: indigo, midnight, ink, blue
teal: blue, green, forest
turquoise: blue
maroon: madder, red, plum
burgundy: madder, red, plum
wine: plum, madder
crimson: madder, red
olive: sage, green
emerald: forest, green
mint: sage, green
tan: brown
chocolate: brown, mocha
dark brown: walnut, brown
light brown: mango, brown
brown: walnut, teak, tan
purple: plum
violet: plum, purple
lavender: purple, plum
mauve: plum, purple
peach: blush, pink, orange
rose: blush, pink
golden: gold, brass
gold: brass
silver: nickel, steel
charcoal: grey
dark grey: charcoal, graphite, slate, grey
light grey: stone, fog, grey
orange: rust, terracotta
yellow: mustard
pink: blush
red: madder
green: sage, forest
blue: indigo
sand: oat, beige, dune
`;

const phrasesOf = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(/[,:]/).map((phrase) => phrase.trim()));

export const furnitureSynonyms: readonly (readonly string[])[] = phrasesOf(same);

/** In each list, the general phrase first. */
export const furnitureBroader: readonly (readonly string[])[] = phrasesOf(broader);
