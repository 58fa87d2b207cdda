import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * What Lucene's EnglishAnalyzer makes of a corpus: id, title, text in; id, nothing, terms with a space between out, tabs
 * between all. java -cp 'FOLDER_OF_LUCENE/*' LuceneTokens.java CORPUS.tsv TOKENS.tsv
 */
public class LuceneTokens {
  public static void main(String[] arguments) throws IOException {
    try (Analyzer analyzer = new EnglishAnalyzer();
        BufferedReader corpus = Files.newBufferedReader(Paths.get(arguments[0]), StandardCharsets.UTF_8);
        BufferedWriter tokens = Files.newBufferedWriter(Paths.get(arguments[1]), StandardCharsets.UTF_8)) {
      for (String line = corpus.readLine(); line != null; line = corpus.readLine()) {
        String[] fields = line.split("\t", 3);
        tokens.write(fields[0] + "\t\t");
        writeTerms(analyzer, fields[1] + "\n" + fields[2], tokens);
        tokens.newLine();
      }
    }
  }

  private static void writeTerms(Analyzer analyzer, String text, BufferedWriter out) throws IOException {
    try (TokenStream stream = analyzer.tokenStream("body", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      for (String between = ""; stream.incrementToken(); between = " ") {
        out.write(between);
        out.append(term);
      }
      stream.end();
    }
  }
}
