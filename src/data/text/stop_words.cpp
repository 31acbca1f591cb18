// SPDX-License-Identifier: Apache-2.0
// The built-in lists of words of grammar. A language is recognised by how many of its words a text
// holds.
#include "data/text/stop_words.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/files.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {
namespace {

constexpr std::string_view kEnglish =
    // articles and words that point
    "a an the this that these those such same own here there "
    // people and things
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves "
    "he him his himself she her hers herself it its itself they them their theirs "
    "themselves "
    // questions
    "who whom whose which what when where why how "
    // to be, to have, to do, and what goes with verbs
    "am is are was were be been being have has had having do does did doing done can "
    "could may might must shall should will would cannot "
    // how many, how much
    "all any both each either every few many more most much neither no none other "
    "others some several "
    // between sentences
    "and but or nor so yet if then else than because as while although though "
    "whether unless since until thus hence therefore however "
    // place, time, direction
    "about above across after against along among around at before behind below "
    "between by down during for from in into of off on onto out over per through to "
    "toward under up upon via with within without "
    // degree and manner
    "again also already always even ever just never not now often once only quite "
    "rather still too very "
    // short forms
    "i'm i've i'll i'd you're you've you'll you'd he's he'll she's she'll it's we're "
    "we've we'll they're they've they'll that's there's what's let's isn't aren't "
    "wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't "
    "wouldn't shouldn't ";

constexpr std::string_view kFrench =
    "le la les l un une des du de d ce cet cette ces celui celle ceux celles cela ceci "
    "ça ici là "
    "je j me m moi tu te t toi il elle on nous vous ils elles lui leur leurs eux se s "
    "soi mon ma mes ton ta tes son sa ses notre nos votre vos y en "
    "qui que qu quoi dont où quand comment pourquoi quel quelle quels quelles lequel "
    "laquelle lesquels lesquelles "
    "suis es est sommes êtes sont étais était étions étaient été étant être sera "
    "seront serait seraient fut furent soit soient ai as a avons avez ont avais avait "
    "avaient eu ayant avoir aura auront aurait auraient ait aient fait faire peut "
    "peuvent pouvait pourrait doit doivent devait "
    "tout toute tous toutes autre autres aucun aucune chaque même mêmes plusieurs "
    "quelque quelques tel telle tels telles "
    "et ou mais donc or ni car si comme lorsque puisque quoique parce afin alors ainsi "
    "cependant "
    "à au aux avec chez contre dans depuis derrière dès devant durant entre envers "
    "hors jusque jusqu malgré par parmi pendant pour sans sauf selon sous sur vers "
    "ne n pas non plus moins très trop peu bien aussi encore toujours jamais déjà puis "
    "ensuite "
    "c'est n'est s'est qu'il qu'elle qu'on qu'ils qu'un qu'une d'un d'une l'on j'ai "
    "n'a n'ont c'était d'être ";

constexpr std::string_view kGerman =
    "der die das den dem des ein eine einer eines einem einen kein keine keiner keines "
    "keinem keinen dieser diese dieses diesem diesen jener jene jenes jenem jenen "
    "derselbe dieselbe dasselbe welcher welche welches welchem welchen "
    "ich mich mir du dich dir er ihn ihm sie ihr ihnen es wir uns euch man sich mein "
    "meine meiner meines meinem meinen dein deine deiner deinem deinen sein seine "
    "seiner seines seinem seinen ihre ihrer ihres ihrem ihren unser unsere unserer "
    "unserem unseren euer eure eurer eurem euren "
    "wer wen wem wessen was wann wo wohin woher warum wie "
    "bin bist ist sind seid war warst waren wart gewesen sei wäre wären habe hast hat "
    "haben habt hatte hattest hatten gehabt hätte hätten werde wirst wird werden "
    "werdet wurde wurden worden würde würden kann können konnte konnten könnte könnten "
    "muss müssen musste mussten soll sollen sollte sollten will wollen wollte wollten "
    "darf dürfen durfte durften mag mögen möchte möchten "
    "alle allem allen aller alles andere anderem anderen anderer anderes beide beiden "
    "einige einigen einiger jede jedem jeden jeder jedes manche manchen mehr viel "
    "viele vielen wenig wenige etwas nichts "
    "und oder aber denn sondern doch weil da wenn falls als ob dass daß damit obwohl "
    "während bevor nachdem sowie sowohl weder noch also dann daher deshalb jedoch "
    "ab an am auf aus außer bei beim bis durch für gegen gegenüber hinter in im ins "
    "mit nach neben ohne seit trotz über um unter unterhalb von vom vor wegen zu zum "
    "zur zwischen "
    "nicht nur auch schon sehr so nun jetzt immer nie wieder hier dort dazu dabei "
    "davon dadurch darauf daran darin darum einmal ganz gar sonst selbst wohl zwar "
    "etwa bereits ";

constexpr std::string_view kSpanish =
    "el la los las lo un una unos unas al del este esta esto estos estas ese esa eso "
    "esos esas aquel aquella aquello aquellos aquellas aquí allí ahí "
    "yo me mí tú te ti él ella ello ellos ellas nosotros nosotras nos vosotros os "
    "usted ustedes le les se sí mi mis tu tus su sus nuestro nuestra nuestros nuestras "
    "suyo suya "
    "que qué quien quién quienes cual cuál cuales cuando cuándo donde dónde como cómo "
    "cuyo cuya porque "
    "soy eres es somos son era eras éramos eran fui fue fuimos fueron ser sido siendo "
    "será serán sería serían sea sean estoy está estamos están estaba estaban estar "
    "estado he has ha hemos han había habían haber hay hubo haya hayan tener tiene "
    "tienen tenía puede pueden podía debe deben hacer hace "
    "todo toda todos todas otro otra otros otras algo alguien algún alguna algunos "
    "algunas ningún ninguna nada nadie cada mismo misma mismos mismas mucho mucha "
    "muchos muchas poco pocos tan tanto varios "
    "y e o u pero sino si aunque mientras pues ni luego entonces además "
    "a ante bajo con contra de desde durante en entre hacia hasta para por según sin "
    "sobre tras "
    "no ya muy más menos también tampoco siempre nunca aún todavía sólo solo así bien ";

std::vector<std::string> words_in(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    if (end > 0) words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end == std::string_view::npos ? end : end + 1));
  }
  return words;
}

}  // namespace

const std::vector<StopList>& stop_lists() {
  static const std::vector<StopList> lists = {{"english", words_in(kEnglish)},
                                              {"french", words_in(kFrench)},
                                              {"german", words_in(kGerman)},
                                              {"spanish", words_in(kSpanish)}};
  return lists;
}

namespace {

void add_file(const std::string& path, std::size_t memory_limit, std::vector<std::string>& words) {
  const std::unique_ptr<core::ByteSource> source = core::ByteSource::open(path);
  core::Problems problems;
  core::MemoryGuard memory(memory_limit, source->name());
  TextLines lines(*source, memory_limit);
  std::string_view line;
  while (lines.next(line)) {
    if (!check_text_line(line, problems, lines)) continue;
    const std::string_view word = core::trimmed(line);
    if (word.empty()) continue;
    memory.add(sizeof(std::string) + word.size());
    words.emplace_back(word);
  }
  problems.throw_if_any();
}

}  // namespace

std::vector<std::string> stop_words(const std::vector<std::string>& lists,
                                    std::size_t memory_limit) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    std::error_code unreadable;
    const auto built_in = std::ranges::find(stop_lists(), list, &StopList::name);
    if (built_in != stop_lists().end()) {
      words.insert(words.end(), built_in->words.begin(), built_in->words.end());
    } else if (std::filesystem::exists(list, unreadable)) {
      add_file(list, memory_limit, words);
    } else {
      std::string names;
      for (const StopList& known : stop_lists()) names += (names.empty() ? "" : ", ") + known.name;
      throw InputError(
          {core::setting("stop_words", list), "there is no built-in list and no file of this name",
           "built in: " + names + "; for another language give a file with one word per line"});
    }
  }
  return words;
}

}  // namespace medley::data
